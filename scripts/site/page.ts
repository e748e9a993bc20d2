// Run and Edit: runs a block of code in the reader's page, against the demo chain. Loaded with the
// first click.
import { parseChain } from "../../mocks/ingest/parse-chain.ts";
import { type Block, runBlock } from "./run.ts";

/** Requests a file of the site. */
const request = async (name: string): Promise<Response> => {
  const response = await fetch(new URL(name, import.meta.url));
  if (!response.ok) throw new Error(`${name}: HTTP ${response.status}`);
  return response;
};

/** Calls a function once for each argument, and remembers the results. */
function remembered<Value>(load: (name: string) => Promise<Value>) {
  const results = new Map<string, Promise<Value>>();
  return (name: string): Promise<Value> => {
    const result = results.get(name) ?? load(name);
    results.set(name, result);
    return result;
  };
}

/** The blocks of a page, by their index. */
const blocksOf = remembered(
  async (page): Promise<Readonly<Record<string, Block>>> => (await request(`${page}.json`)).json(),
);

const unzipped = remembered(async (name) => {
  const { body } = await request(`${name}.ndjson.gz`);
  if (!body) throw new Error(`${name} is empty`);
  return new Response(body.pipeThrough(new DecompressionStream("gzip"))).text();
});

/** Whether a program may read verified contracts, or logs, whose events are named by their ABIs. */
const readsSources = (program: string) =>
  /contracts|eventLogs|verif|\b(?:code|C[12]|L1|abi)\b|transfers/.test(program);

const demoChain = remembered(async (content) => {
  const names = content === "all" ? ["blocks", "calls", "sources"] : ["blocks", "calls"];
  const texts = await Promise.all(names.map(async (name) => [name, await unzipped(name)]));
  return parseChain(Object.fromEntries(texts), { verified: content === "all" });
});

/** Returns a fork of the demo chain, because a program may change it. */
const loadChain = async (program: string) =>
  (await demoChain(readsSources(program) ? "all" : "blocks")).fork();

const running = new WeakMap<Element, AbortController>();

/** A line of what is below a block. */
function line(output: Element, text: string, kind: string): void {
  const shown = document.createElement("div");
  shown.className = kind;
  shown.textContent = text;
  output.append(shown);
}

/** Handles a click on Run, Stop, Edit or Undo. */
export async function press(button: HTMLButtonElement): Promise<void> {
  const bar = button.closest<HTMLElement>(".run");
  const code = bar?.previousElementSibling;
  if (!bar || !code) return;
  const [page = "", index = ""] = bar.dataset.block?.split(" ") ?? [];
  const block = (await blocksOf(page))[index];
  if (!block) return;
  const editor = bar.querySelector("textarea");
  if (button.name === "edit") return edit(bar, code, button, block, editor);
  if (button.textContent === "Stop") return running.get(bar)?.abort();
  bar.querySelector("output")?.remove();
  const output = bar.appendChild(document.createElement("output"));
  output.setAttribute("aria-busy", "true");
  button.textContent = "Stop";
  const run = new AbortController();
  running.set(bar, run);
  const { requests, error } = await runBlock(
    { ...block, ...(editor && { code: editor.value }) },
    { print: (text) => line(output, text, "printed"), loadChain, signal: run.signal },
  );
  if (error !== undefined)
    line(output, error instanceof Error ? `${error.name}: ${error.message}` : `${error}`, "failed");
  if (requests.length > 0) {
    const list = output.appendChild(document.createElement("details"));
    const summary = list.appendChild(document.createElement("summary"));
    summary.textContent = `${requests.length} ${requests.length === 1 ? "request" : "requests"}`;
    for (const { method, target, status } of requests)
      line(list, `${method} ${target} ${status || "without a response"}`, "request");
  }
  if (output.childElementCount === 0) line(output, "Ran without output", "request");
  button.textContent = "Run";
  output.removeAttribute("aria-busy");
}

/** Changes between the code as it is printed and an editor, which has it without types. */
function edit(
  bar: HTMLElement,
  code: Element,
  button: HTMLButtonElement,
  block: Block,
  editor: HTMLTextAreaElement | null,
): void {
  code.toggleAttribute("hidden", !editor);
  button.textContent = editor ? "Edit" : "Undo";
  if (editor) {
    editor.remove();
    return;
  }
  const textarea = document.createElement("textarea");
  textarea.value = block.code;
  textarea.rows = block.code.split("\n").length + 1;
  textarea.spellcheck = false;
  textarea.setAttribute("aria-label", "Code");
  bar.prepend(textarea);
  textarea.focus();
}
