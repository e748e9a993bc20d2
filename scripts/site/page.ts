// Run and Edit: runs a block of code in the reader's page, against the demo chain. Loaded with the
// first click.
import { chainOf, type PackedChain, type PackedRest, unpackedParts } from "./demo-chain.ts";
import { type Block, runBlock } from "./run.ts";

/** Files of the site that are not scripts. */
const readFile = async (name: string): Promise<Response> => {
  const response = await fetch(new URL(name, import.meta.url));
  if (!response.ok) throw new Error(`${name}: HTTP ${response.status}`);
  return response;
};

async function unzipped<Json>(name: string): Promise<Json> {
  const { body } = await readFile(name);
  if (!body) throw new Error(`${name} is empty`);
  return new Response(body.pipeThrough(new DecompressionStream("gzip"))).json();
}

const once = <Value>(load: () => Promise<Value>) => {
  let loading: Promise<Value> | undefined;
  return () => {
    loading ??= load();
    return loading;
  };
};
const loaded = new Map<string, Promise<Readonly<Record<string, Block>>>>();
/** The blocks of a page, by their index. */
function blocksOf(page: string) {
  const blocks = loaded.get(page) ?? readFile(`${page}.json`).then((response) => response.json());
  loaded.set(page, blocks);
  return blocks;
}

const loadPacked = once(() => unzipped<PackedChain>("chain.json.gz"));
const loadAbis = once(() => unzipped<PackedRest>("abis.json.gz"));
const loadCode = once(() => unzipped<PackedRest>("code.json.gz"));

/**
 * Returns whether a program may read code of contracts or input of transactions. No block does
 * until a reader edits it.
 */
const readsCode = (program: string) =>
  /\b(?:code|verified)\(|\b(?:input|output|C2)\b/.test(program);

/** Whether it may read ABIs, or logs, which are named by them. */
const readsAbis = (program: string) =>
  /contracts|eventLogs|\b(?:C1|L1|abi)\b|transfers/.test(program);

/** Loads the parts of the demo chain that only some programs read. */
async function restFor(program: string): Promise<PackedRest | undefined> {
  if (readsCode(program)) return loadCode();
  return readsAbis(program) ? loadAbis() : undefined;
}

/** A demo chain of its own for each run: a program may change it. */
const loadChain = async (program: string) =>
  chainOf(unpackedParts(await loadPacked(), await restFor(program)));

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
