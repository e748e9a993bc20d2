// The parts of a contract: its verified source with what is proven, functions, events, ABI and code, and the form to verify it.
import type { ComponentChildren } from "preact";

import { isExplorerError } from "../../../src/errors/index.ts";
import type { VerifiedContract } from "../../../src/models/contract.ts";
import type { Address } from "../../../src/models/primitives.ts";
import { hasIds } from "../../inspect/records.ts";
import type { AnswerOf } from "../../inspect/views.ts";
import { filesOf } from "../code/sources.ts";
import { constructorValues } from "../format/abi.ts";
import { beginningOf, byteCount, grouped } from "../format/values.ts";
import { Code, Coloured, Value } from "../parts/code.tsx";
import { Copy, CopyWords, Facts, FullTime } from "../parts/facts.tsx";
import { Loaded } from "../parts/failure.tsx";
import { type Tab, tab } from "../parts/tabs.tsx";
import { AddressLink, ChainText } from "../parts/text.tsx";
import { explorer } from "../service/explorer.ts";
import { past } from "../service/head.ts";
import { useQuery } from "../service/queries.ts";
import { Events } from "./events.tsx";
import { Functions } from "./functions.tsx";
import { VerifyForm } from "./verify-form.tsx";

type Account = AnswerOf<"account">;

function Source({ source, name }: { source: string; name: string }) {
  return (
    <>
      {filesOf(source, name).map((file) => (
        <section key={file.name}>
          <h2>
            <ChainText text={file.name} length={80} />{" "}
            <CopyWords text={() => file.text}>Copy</CopyWords>
          </h2>
          <Code label={`Source of ${file.name}`}>
            <Coloured text={file.text} />
          </Code>
        </section>
      ))}
    </>
  );
}

/** What the contract was created with, by its ABI, and in bytes. */
function CreatedWith({ contract }: { contract: VerifiedContract }) {
  const data = contract.constructor_arguments ?? "";
  return (
    <>
      {constructorValues(contract.contract_abi ?? [], data).map(({ name, type, text }, index) => (
        <div key={index}>
          <small title={type}>
            <ChainText text={name || `${index}`} length={30} />
          </small>{" "}
          <Value {...{ type, name }} value={text} length={200} />
        </div>
      ))}
      <details>
        <summary>{grouped(data.replace(/^0x/, "").length / 2)} bytes</summary>
        <span class="hex">{data.slice(0, 2000)}</span>
      </details>
    </>
  );
}

/** The libraries that the code is linked to. This service writes them as JSON; a real explorer may use another form. */
function Libraries({ text }: { text: string }) {
  const found = [...text.matchAll(/"name":"([^"]*)","address":"(0x[0-9a-f]{40})"/gi)];
  if (found.length === 0) return <ChainText text={text} length={500} />;
  return (
    <>
      {found.map(([, name = "", address]) => (
        <div key={name}>
          <ChainText text={name} length={100} /> <AddressLink to={address as Address} />
        </div>
      ))}
    </>
  );
}

function Settings({ contract }: { contract: VerifiedContract }) {
  const { libraries, constructor_arguments, swam_source, optimization_enabled } = contract;
  return (
    <Facts
      facts={[
        ["Compiler", <ChainText text={contract.compiler ?? "unknown"} length={80} />],
        [
          "Optimizer",
          optimization_enabled === "1" ? `on, ${contract.runs_optimizer ?? "unknown"} runs` : "off",
        ],
        contract.verify_date && ["Verified", <FullTime at={contract.verify_date} />],
        libraries && libraries !== "[]" && ["Libraries", <Libraries text={libraries} />],
        swam_source && ["Metadata", <ChainText text={swam_source} length={200} />],
        constructor_arguments && ["Created with", <CreatedWith contract={contract} />],
      ]}
    />
  );
}

/** Each region of the contract, with what leaves it open: it is not proven, or nothing on the chain could prove it. */
function regionsOf({ verify_uncovered, swam_source }: VerifiedContract) {
  const open = new Set(verify_uncovered ?? []);
  const metadata =
    open.has("metadata hash") &&
    (swam_source ? "not proven: its hash differs" : "impossible: the code has no hash of it");
  const regions: readonly (readonly [region: string, open: string | false])[] = [
    [
      "Runtime code",
      open.has("code that can be reached in the metadata") &&
        "not proven: code can be reached in the metadata",
    ],
    ["Creation code", open.has("creation code") && "impossible: the chain does not show it"],
    [
      "Immutables",
      open.has("immutables") &&
        (open.has("creation code")
          ? "impossible: the chain does not show the creation code"
          : "not proven: the constructor reads other contracts"),
    ],
    ["Metadata", metadata],
    ["ABI", open.has("ABI") && metadata],
  ];
  return regions;
}

function Proof({ contract }: { contract: VerifiedContract }) {
  if (contract.verify_level == null) return null;
  return (
    <section aria-label="What is proven">
      <Facts
        facts={regionsOf(contract).map(([region, open]) => [
          region,
          <span class={open ? "badge warn" : "badge good"}>{open || "proven"}</span>,
        ])}
      />
    </section>
  );
}

/** How much of the source is proven, and what was compared. */
function Level({ contract }: { contract: VerifiedContract }) {
  const { verify_level, verify_message } = contract;
  return (
    <p>
      <span class={verify_level === "partial" ? "badge warn" : "badge good"}>
        {verify_level ?? "verified"}
      </span>{" "}
      {verify_message && <ChainText text={verify_message} length={300} />}
    </p>
  );
}

/** What a proxy forwards its calls to. */
interface Target {
  readonly address: Address;
  /** Empty where no source is verified. */
  readonly abi: readonly unknown[];
}

/** The ABI of a contract with that of its target, each entry once. */
function withTarget(abi: readonly unknown[], target: Target | undefined): readonly unknown[] {
  const own = new Set(abi.map((entry) => JSON.stringify(entry)));
  return [...abi, ...(target?.abi ?? []).filter((entry) => !own.has(JSON.stringify(entry)))];
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

/** What the tabs of a contract show: its source if it is verified, and what it forwards its calls to. */
interface Sources {
  readonly contract: VerifiedContract | undefined;
  readonly target: Target | undefined;
}

/** The contract with its source; undefined where none is verified. */
async function verifiedAt(
  address: Address,
  signal: AbortSignal,
): Promise<VerifiedContract | undefined> {
  try {
    return await explorer.contracts.code(address, { signal });
  } catch (error) {
    if (isExplorerError(error, "NOT_VERIFIED")) return undefined;
    throw error;
  }
}

async function sourcesOf({ address, target }: Account, signal: AbortSignal): Promise<Sources> {
  const [contract, forwarded] = await Promise.all([
    verifiedAt(address, signal),
    target === null ? undefined : verifiedAt(target, signal),
  ]);
  if (target === null) return { contract, target: undefined };
  return { contract, target: { address: target, abi: forwarded?.contract_abi ?? [] } };
}

interface WithSourcesProps {
  readonly account: Account;
  readonly children: (sources: Sources & { readonly abi: readonly unknown[] }) => ComponentChildren;
}

function WithSources({ account, children }: WithSourcesProps) {
  const { address, target } = account;
  const loading = useQuery(["contract", address, target], (signal) => sourcesOf(account, signal), {
    version: past.use(),
  });
  return (
    <Loaded of={loading} what="Could not load the contract" lines={8}>
      {(sources) =>
        children({
          ...sources,
          abi: withTarget(sources.contract?.contract_abi ?? [], sources.target),
        })
      }
    </Loaded>
  );
}

const SourcePart = ({ contract }: { contract: VerifiedContract }) => (
  <>
    <Level contract={contract} />
    <Proof contract={contract} />
    <Settings contract={contract} />
    <Source
      source={contract.contract_source ?? ""}
      name={`${contract.contract_name ?? "Contract"}.sol`}
    />
  </>
);

function Abi({ contract }: { contract: VerifiedContract }) {
  const abi = JSON.stringify(contract.contract_abi ?? [], null, 2);
  return (
    <>
      <p class="actions">
        <CopyWords text={() => abi}>Copy the ABI</CopyWords>
      </p>
      <Code label="ABI">{abi}</Code>
    </>
  );
}

/** The parts of a contract; none where the address is no contract. `onVerified`: there is a source now. */
export function contractTabs(account: Account, onVerified: () => void): readonly Tab[] {
  const { address, token, code } = account;
  if (!account.is_contract) return [];
  const decimals = (token && !hasIds(token.standard) && token.token_decimals) || undefined;
  const part = (id: string, title: string, content: WithSourcesProps["children"]) =>
    tab(id, title, () => <WithSources account={account}>{content}</WithSources>);
  const verify = tab("verify", account.contract ? "Verify again" : "Verify", () => (
    <VerifyForm key={address} address={address} onVerified={onVerified} />
  ));
  const verified = (tabs: readonly Tab[], others: readonly Tab[] = []) =>
    account.contract ? tabs : others;
  return [
    ...verified(
      part("source", "Source", ({ contract }) => contract && <SourcePart contract={contract} />),
      verify,
    ),
    ...part("functions", "Functions", ({ abi }) => <Functions {...{ address, abi, decimals }} />),
    ...part("events", "Events", ({ abi }) => <Events {...{ address, abi, decimals }} />),
    ...verified(part("abi", "ABI", ({ contract }) => contract && <Abi contract={contract} />)),
    ...tab("code", "Code", () => <RuntimeCode code={code} />),
    ...verified(verify),
  ];
}
