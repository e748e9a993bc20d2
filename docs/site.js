// The menu of the site: a page's link stands beside what opens the pages below it. TypeDoc's script nests it there, where few can reach it.
const menu = document.getElementById("tsd-nav-container");

function part() {
  for (const link of menu.querySelectorAll("summary > a")) {
    const { parentElement: summary } = link;
    summary.setAttribute("aria-label", `Pages of ${link.textContent}`);
    summary.parentElement.before(link);
  }
}

// The menu is filled once, whenever its data has arrived.
new MutationObserver(part).observe(menu, { childList: true });
