// The frame of the page: bar with search and navigation, the view that the address names, and how the service is.
import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { isExplorerError } from "../../src/errors/index.ts";
import { Bar } from "./bar.tsx";
import { grouped } from "./format/values.ts";
import { Failure, Skeleton } from "./parts/failure.tsx";
import { KeyForm } from "./parts/field.tsx";
import { route, scrollBack } from "./router.ts";
import { head, headError } from "./service/head.ts";
import { forgetNames } from "./service/inspect.ts";
import { apiKey } from "./store.ts";
import { Home } from "./views/home.tsx";

interface ViewProps {
  /** What the address has besides the view. */
  readonly subject: string;
}

type View = ComponentType<ViewProps>;

/** Home comes with the page; the others are loaded when first opened. */
const loaders = {
  search: async () => (await import("./views/search.tsx")).Search,
  account: async () => (await import("./views/account.tsx")).Account,
  tx: async () => (await import("./views/transaction.tsx")).TransactionView,
  block: async () => (await import("./views/block.tsx")).BlockView,
  blocks: async () => (await import("./views/chain-lists.tsx")).Blocks,
  transactions: async () => (await import("./views/chain-lists.tsx")).Transactions,
  accounts: async () => (await import("./views/chain-lists.tsx")).AccountsView,
  tokens: async () => (await import("./views/chain-lists.tsx")).TokensView,
  contracts: async () => (await import("./views/chain-lists.tsx")).ContractsView,
  token: async () => (await import("./views/token.tsx")).TokenView,
  contract: async () => (await import("./views/contract.tsx")).ContractView,
  requests: async () => (await import("./views/requests.tsx")).Requests,
  faults: async () => (await import("./views/faults.tsx")).Faults,
  api: async () => (await import("./views/api.tsx")).Api,
} satisfies Readonly<Record<string, () => Promise<View>>>;

/** The name of a view, as the address has it; that of home is empty. */
export type ViewName = keyof typeof loaders | "";

/** The address may name anything, "constructor" too. */
const loaderOf = (name: string): (() => Promise<View>) | undefined =>
  Object.hasOwn(loaders, name) ? loaders[name as keyof typeof loaders] : undefined;

const titles: Readonly<Record<string, string>> = { "": "Home", tx: "Transaction", api: "API" };

const titleOf = (view: string, subject: string): string => {
  const known = Object.hasOwn(titles, view) ? titles[view] : undefined;
  const name = known ?? `${view.slice(0, 1).toUpperCase()}${view.slice(1)}`;
  return `${name}${subject && ` ${subject.slice(0, 80)}`} · mrc-explorer`;
};

function NoView({ subject }: ViewProps) {
  return (
    <section class="card">
      <h1>No such view</h1>
      <p>
        The address names none: <bdi>{subject.slice(0, 100)}</bdi>. <a href="#/">Home</a> shows the
        chain.
      </p>
    </section>
  );
}

/** A view's code, once it is there. */
function Lazy({ name, subject }: { name: string; subject: string }) {
  const [found, setFound] = useState<{ View?: View; error?: unknown }>({});
  const [attempt, setAttempt] = useState(0);
  const load = name === "" ? async () => Home : (loaderOf(name) ?? (async () => NoView));
  useEffect(() => {
    let isOver = false;
    load().then(
      (View) => isOver || setFound({ View }),
      (error: unknown) => isOver || setFound({ error }),
    );
    return () => {
      isOver = true;
    };
  }, [attempt]);
  const { View, error } = found;
  if (View) return <View subject={load === loaderOf(name) ? subject : name} />;
  if (error === undefined) return <Skeleton lines={6} />;
  const retry = () => setAttempt((count) => count + 1);
  return <Failure what="Could not load this view" error={error} retry={retry} />;
}

export function App() {
  const { view, subject } = route.use();
  const key = apiKey.use();
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = titleOf(view, subject);
    // The first view has the focus of the document; each one after it begins at its top, or where it was left.
    if (!isFirst.current) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
    return scrollBack();
  }, [view, subject]);
  useEffect(forgetNames, [key]);
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <Bar />
      <StateLine />
      <main id="main" tabIndex={-1} ref={main}>
        <Lazy key={`${view} ${subject} ${key}`} name={view} subject={subject} />
      </main>
    </>
  );
}

/** Why the head could not be loaded, on one line. */
function explain(error: unknown): string {
  if (!isExplorerError(error)) return String(error);
  return error.code === "CONNECTION" || error.code === "TIMEOUT"
    ? "The service does not respond. Is it still running?"
    : error.shortMessage;
}

function StateLine() {
  const error = headError.use();
  const { unavailable, node } = head.use() ?? {};
  if (error !== undefined)
    return (
      <div class="state bad" role="alert">
        <bdi>{explain(error)}</bdi>
        {isExplorerError(error) && error.code === "AUTHENTICATION" && <KeyForm />}
      </div>
    );
  if (node && node.state !== "following")
    return (
      <div class="state" role="status">
        <strong>{node.state.replace("-", " ")}</strong>
        {node.lag !== null && ` · ${grouped(node.lag)} blocks behind the node`}
        {node.seconds_left !== null && ` · about ${grouped(Math.ceil(node.seconds_left))} s left`}
        {node.last_error !== null && (
          <>
            {" · "}
            <bdi>{node.last_error.message.slice(0, 200)}</bdi>
          </>
        )}
      </div>
    );
  if (unavailable)
    return (
      <div class="state" role="status">
        The API does not answer yet: <bdi>{unavailable}</bdi>
      </div>
    );
  return null;
}
