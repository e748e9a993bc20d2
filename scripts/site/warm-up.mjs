// A plugin of TypeDoc that highlights a line before each page. Shiki stops after 500 ms for a line,
// and a slow machine takes as long for its very first line: the first page's code would be grey.

export const load = ({ renderer }) =>
  renderer.on("beginPage", () => {
    renderer.markedPlugin.getHighlighted('import { first } from "page"; // warm', "ts");
  });
