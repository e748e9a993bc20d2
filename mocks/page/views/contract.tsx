// The tabs of a contract.
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { jsonIn } from "../../../src/models/json.ts";
import { hasIds, type ShownSource } from "../../inspect/records.ts";
import type { AnswerOf } from "../../inspect/views.ts";
import { beginningOf, byteCount, grouped } from "../format/values.ts";
import { Code, NamedValues, Numbered } from "../parts/code.tsx";
import { Copy, CopyWords, type Fact, Facts, FullTime } from "../parts/facts.tsx";
import { Loaded } from "../parts/failure.tsx";
import { Lazy } from "../parts/lazy.tsx";
import { type Tab, tab } from "../parts/tabs.tsx";
import { AddressLink, ChainText } from "../parts/text.tsx";
import { choose, route } from "../router.ts";
import { past } from "../service/head.ts";
import { inspect } from "../service/inspect.ts";
import { useQuery } from "../service/queries.ts";

/** These need the encoding of ABIs, which is large. */
const functions = async () => (await import("./functions.tsx")).Functions;
const events = async () => (await import("./events.tsx")).Events;
const verifyForm = async () => (await import("./verify-form.tsx")).VerifyForm;

type Account = AnswerOf<"account">;

/** The files of a source, of which the page's address names the one that is shown. */
function Files({ files }: Pick<ShownSource, "files">) {
  const chosen = route.use().query.get("file");
  const file = files.find(({ name }) => name === chosen) ?? files[0];
  if (file === undefined) return null;
  return (
    <div class="files">
      {files.length > 1 && (
        <ul class="plain" aria-label="Files">
          {files.map(({ name }) => (
            <li key={name}>
              <button
                type="button"
                class="link"
                aria-current={name === file.name}
                onClick={() => choose({ file: name })}
              >
                <ChainText text={name} length={80} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <section>
        <h2>
          <ChainText text={file.name} length={80} /> <CopyWords text={file.text}>Copy</CopyWords>
        </h2>
        <Numbered label={`Source of ${file.name}`} lines={file.text.split("\n")} />
      </section>
    </div>
  );
}

const settingsOf = (source: ShownSource): readonly Fact[] => [
  ["Compiler", <ChainText text={source.compiler || "unknown"} length={80} />],
  ["Optimizer", source.runs === null ? "off" : `on, ${grouped(source.runs)} runs`],
  ["Verified", <FullTime at={source.verify_date} />],
  source.verify_uncovered.length > 0 && ["Not proven", source.verify_uncovered.join(", ")],
  source.libraries.length > 0 && [
    "Libraries",
    source.libraries.map(({ name, address }) => (
      <div key={name}>
        <ChainText text={name} length={100} /> <AddressLink to={address} />
      </div>
    )),
  ],
  source.metadata && ["Metadata", <ChainText text={source.metadata} length={200} />],
];

function Source({ source }: { source: ShownSource }) {
  const { verify_level, verify_message, constructor_values, constructor_arguments } = source;
  return (
    <>
      <p>
        <span class={verify_level === "partial" ? "badge warn" : "badge good"}>
          {verify_level ?? "verified"}
        </span>{" "}
        {verify_message && <ChainText text={verify_message} length={300} />}
      </p>
      <Facts facts={settingsOf(source)} />
      {constructor_arguments && (
        <details>
          <summary>Constructor arguments</summary>
          {constructor_values.length > 0 && <NamedValues values={constructor_values} />}
          <Code wrap label="Constructor arguments in hexadecimal">
            {beginningOf(constructor_arguments, 4000)}
          </Code>
        </details>
      )}
      <Files files={source.files} />
    </>
  );
}

function RuntimeCode({ code }: { code: string }) {
  return (
    <>
      <p class="quiet">
        {byteCount((code.length - 2) / 2)} of runtime code{" "}
        <Copy text={code} label="Copy the code" />
      </p>
      <Code wrap label="Runtime code">
        {beginningOf(code, 50_000)}
      </Code>
    </>
  );
}

function Abi({ abi }: { abi: readonly unknown[] }) {
  const text = JSON.stringify(abi, null, 2);
  return (
    <>
      <CopyWords text={text}>Copy the ABI</CopyWords>
      <Code label="ABI">{text}</Code>
    </>
  );
}

function listIn(json: string): readonly unknown[] {
  const list = jsonIn(json);
  return Array.isArray(list) ? list : [];
}

interface ContractData {
  readonly source: ShownSource | null;
  readonly abi: readonly unknown[];
}

interface WithContractProps {
  readonly account: Account;
  readonly children: (contract: ContractData) => ComponentChildren;
}

function WithContract({ account, children }: WithContractProps) {
  const { address, contract } = account;
  // A verification changes no block, so its date is part of the request.
  const loading = useQuery(
    ["contract", address, contract?.verify_date],
    () => inspect("contract", { address }),
    { version: past.use() },
  );
  const text = loading.value?.abi ?? "";
  const abi = useMemo(() => listIn(text), [text]);
  return (
    <Loaded of={loading} what="Could not load the contract" lines={8}>
      {({ source }) => children({ source, abi })}
    </Loaded>
  );
}

/** Returns no tabs for an account without code. */
export function contractTabs(account: Account, onVerified: () => void): readonly Tab[] {
  const { address, token, code } = account;
  if (!account.is_contract) return [];
  const decimals = (token && !hasIds(token.standard) && token.token_decimals) || undefined;
  const part = (id: string, title: string, content: WithContractProps["children"]) =>
    tab(id, title, () => <WithContract account={account}>{content}</WithContract>);
  const verify = tab("verify", account.contract ? "Verify again" : "Verify", () => (
    <Lazy key={address} name="verify" load={verifyForm} props={{ address, onVerified }} />
  ));
  const isVerified = account.contract !== null;
  return [
    ...(isVerified
      ? part("source", "Source", ({ source }) => source && <Source source={source} />)
      : verify),
    ...part("functions", "Functions", ({ abi }) => (
      <Lazy name="functions" load={functions} props={{ address, abi, decimals }} />
    )),
    ...part("events", "Events", ({ abi }) => (
      <Lazy name="events" load={events} props={{ address, abi }} />
    )),
    ...(isVerified ? part("abi", "ABI", ({ abi }) => <Abi abi={abi} />) : []),
    ...tab("code", "Code", () => <RuntimeCode code={code} />),
    ...(isVerified ? verify : []),
  ];
}
