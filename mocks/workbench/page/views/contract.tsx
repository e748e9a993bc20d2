// A contract: its verified source, ABI and settings, or a form to verify it.

import { isExplorerError } from "../../../../src/errors/index.ts";
import type { VerifiedContract } from "../../../../src/models/contract.ts";
import { isAddress } from "../../../../src/models/hex.ts";
import type { Address } from "../../../../src/models/primitives.ts";
import { constructorValues } from "../format/abi.ts";
import { filesOf, highlight } from "../format/sources.ts";
import { grouped } from "../format/values.ts";
import { hasIds } from "../inspect/records.ts";
import { Code } from "../parts/code.tsx";
import { Loaded } from "../parts/failure.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { AddressLink, ChainText, Copy, CopyWords, Facts, FullTime } from "../parts/text.tsx";
import { href } from "../router.ts";
import { explorer } from "../service/explorer.ts";
import { past } from "../service/head.ts";
import { inspect } from "../service/inspect.ts";
import { useQuery } from "../service/queries.ts";
import { Events } from "./events.tsx";
import { Functions } from "./functions.tsx";
import { VerifyForm } from "./verify-form.tsx";

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
            {highlight(file.text).map(({ kind, text }, index) =>
              kind === undefined ? (
                text
              ) : (
                <span key={index} class={kind}>
                  {text}
                </span>
              ),
            )}
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
          {type === "address" && isAddress(text) ? (
            <AddressLink to={text} />
          ) : (
            <ChainText text={text} length={200} />
          )}
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

/** Nothing where the contract is no proxy. */
function ForwardsTo({ target }: { target: Target | undefined }) {
  if (target === undefined) return null;
  return (
    <p class="subject">
      A proxy: forwards calls to <AddressLink to={target.address} />
    </p>
  );
}

/** The ABI of a contract with that of its target, each entry once. */
function withTarget(abi: readonly unknown[], target: Target | undefined): readonly unknown[] {
  const own = new Set(abi.map((entry) => JSON.stringify(entry)));
  return [...abi, ...(target?.abi ?? []).filter((entry) => !own.has(JSON.stringify(entry)))];
}

interface VerifiedProps {
  readonly contract: VerifiedContract;
  readonly target: Target | undefined;
  /** Of the token that the contract is. */
  readonly decimals: number | undefined;
}

function Verified({ contract, target, decimals }: VerifiedProps) {
  const { contract_source, contract_abi, contract_name, contract_code } = contract;
  const name = contract_name ?? "Contract";
  const members = withTarget(contract_abi ?? [], target);
  const abi = JSON.stringify(contract_abi ?? [], null, 2);
  return (
    <>
      <section class="card">
        <h1>
          <ChainText text={name} length={60} />
        </h1>
        <p class="subject">
          <AddressLink full to={contract.address} />{" "}
          <Copy text={contract.address} label="Copy the address" />
        </p>
        <ForwardsTo target={target} />
        <Level contract={contract} />
        <Proof contract={contract} />
        <Settings contract={contract} />
      </section>
      <Tabs
        label="Parts of the contract"
        tabs={[
          {
            id: "source",
            title: "Source",
            content: () => <Source source={contract_source ?? ""} name={`${name}.sol`} />,
          },
          {
            id: "functions",
            title: "Functions",
            content: () => <Functions address={contract.address} abi={members} />,
          },
          {
            id: "events",
            title: "Events",
            content: () => <Events address={contract.address} abi={members} decimals={decimals} />,
          },
          {
            id: "abi",
            title: "ABI",
            content: () => (
              <>
                <p class="actions">
                  <CopyWords text={() => abi}>Copy the ABI</CopyWords>
                </p>
                <Code label="ABI">{abi}</Code>
              </>
            ),
          },
          {
            id: "code",
            title: "Code",
            content: () => (
              <Code wrap label="Runtime code">
                {(contract_code ?? "").slice(0, 50_000)}
              </Code>
            ),
          },
          {
            id: "verify",
            title: "Verify again",
            content: () => <VerifyForm key={contract.address} address={contract.address} />,
          },
        ]}
      />
    </>
  );
}

interface NotVerifiedProps {
  readonly address: Address;
  readonly target: Target | undefined;
  /** Of the token that the contract is. */
  readonly decimals: number | undefined;
  readonly onVerified: () => void;
}

function NotVerified({ address, target, decimals, onVerified }: NotVerifiedProps) {
  const abi = target?.abi ?? [];
  const functions = () => <Functions address={address} abi={abi} />;
  return (
    <>
      <section class="card">
        <h1>Not verified</h1>
        <p class="subject">
          <AddressLink full to={address} /> <Copy text={address} label="Copy the address" />
        </p>
        <ForwardsTo target={target} />
      </section>
      <Tabs
        label="Parts of the contract"
        tabs={[
          // Those of its target.
          ...(abi.length > 0 ? [{ id: "functions", title: "Functions", content: functions }] : []),
          {
            id: "verify",
            title: "Verify",
            content: () => <VerifyForm key={address} address={address} onVerified={onVerified} />,
          },
          {
            id: "events",
            title: "Events",
            content: () => <Events address={address} abi={abi} decimals={decimals} />,
          },
          ...(abi.length > 0 ? [] : [{ id: "functions", title: "Storage", content: functions }]),
        ]}
      />
    </>
  );
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

export function ContractView({ subject }: { subject: string }) {
  const address = subject as Address;
  const load = async (signal: AbortSignal) => {
    const [contract, { code, target, token }] = await Promise.all([
      verifiedAt(address, signal),
      inspect("account", { address }, { signal }),
    ]);
    // A wallet's link, `/address/0x…`, may be to an account.
    if (contract === undefined && code === "0x") location.replace(href("account", address));
    const decimals = (token && !hasIds(token.standard) && token.token_decimals) || undefined;
    if (target === null) return { contract, target: undefined, decimals };
    const abi = (await verifiedAt(target, signal))?.contract_abi ?? [];
    return { contract, target: { address: target, abi }, decimals };
  };
  const loading = useQuery(["contract", address], load, { version: past.use() });
  return (
    <Loaded of={loading} what="Could not load the contract" lines={8}>
      {({ contract, ...given }) =>
        contract ? (
          <Verified contract={contract} {...given} />
        ) : (
          <NotVerified address={address} {...given} onVerified={loading.retry} />
        )
      }
    </Loaded>
  );
}
