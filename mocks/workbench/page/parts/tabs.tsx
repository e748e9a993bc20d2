// Parts of a view of which one is shown; the address remembers which.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { href, route } from "../router.ts";

export interface Tab {
  readonly id: string;
  readonly title: string;
  readonly content: () => ComponentChildren;
}

/** A link for each tab, and the content of the chosen one. */
export function Tabs({ tabs, label }: { tabs: readonly Tab[]; label: string }) {
  const { view, subject, query } = route.use();
  const chosen = tabs.find(({ id }) => id === query.get("list")) ?? tabs[0];
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone the chosen one may be beyond the edge.
    const link = nav.current?.querySelector<HTMLElement>("[aria-current]");
    if (link && nav.current) nav.current.scrollLeft = link.offsetLeft - 40;
  }, [chosen?.id]);
  if (chosen === undefined) return null;
  return (
    <section class="card">
      <nav class="tabs" aria-label={label} ref={nav}>
        {tabs.map(({ id, title }) => (
          <a
            key={id}
            href={href(view, subject, { list: id })}
            aria-current={id === chosen.id ? "page" : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      <div key={chosen.id}>{chosen.content()}</div>
    </section>
  );
}
