// The functions of a contract as forms.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Member, membersOf } from "../../../src/cli/abi.ts";
import type { Address, Hex } from "../../../src/models/primitives.ts";
import { sameAddress } from "../../../src/resources/display.ts";
import { integerOf } from "../../inspect/arguments.ts";
import { returnsAmount } from "../../inspect/standard-abi.ts";
import {
  decodeValues,
  encodeCall,
  explainRevert,
  fieldOf,
  labelOf,
  type NamedValue,
} from "../format/abi.ts";
import { AdminGate } from "../parts/admin-gate.tsx";
import { NamedValues, Value } from "../parts/code.tsx";
import { Loaded } from "../parts/failure.tsx";
import {
  type Field,
  FieldError,
  FieldInput,
  Form,
  type FormProps,
  type Texts,
} from "../parts/form.tsx";
import { ChainText } from "../parts/text.tsx";
import { go, href } from "../router.ts";
import { admin } from "../service/admin.ts";
import { head, headId } from "../service/head.ts";
import { useQuery } from "../service/queries.ts";

type Outcome = readonly NamedValue[];

/** Parses the number of a block. Returns undefined for the head. */
function blockOf(text: string): number | undefined {
  const compact = text.trim().replaceAll(",", "");
  if (compact === "" || compact === "latest") return undefined;
  if (/^\d{1,15}$/.test(compact)) return Number(compact);
  throw new Error(`At block: expected a number, or nothing for the head, received "${text}"`);
}

interface FunctionProps {
  readonly address: Address;
  readonly member: Member;
  readonly members: readonly Member[];
}

interface FunctionFormProps
  extends Pick<FormProps, "label" | "fields" | "action" | "busy" | "isDisabled"> {
  readonly title: string;
  /** Resolves to undefined if another page shows the result. */
  readonly run: (texts: Texts) => Promise<Outcome | undefined>;
}

/** A form, and the result of its last submission. */
function FunctionForm({ title, run, ...form }: FunctionFormProps) {
  const [values, setValues] = useState<Outcome>();
  const submit = async (texts: Texts) => {
    setValues(undefined);
    setValues(await run(texts));
  };
  return (
    <div class="function">
      <Form {...form} before={<Name text={title} />} run={submit} />
      <div role="status">{values && <Results values={values} />}</div>
    </div>
  );
}

interface MemberFormProps extends Omit<FunctionFormProps, "label" | "title" | "run"> {
  readonly member: Member;
  /** Runs the function with its encoded arguments. */
  readonly run: (data: Hex, texts: Texts) => Promise<Outcome | undefined>;
}

/** The form of a function: a field for each argument, and more fields. */
const MemberForm = ({ member, fields = [], run, ...form }: MemberFormProps) => (
  <FunctionForm
    {...form}
    label={member.signature.slice(0, 100)}
    title={member.name}
    fields={[
      ...member.inputs.map((input, index) => ({
        name: fieldOf(index),
        label: labelOf(input, index),
        isAddress: input.type === "address",
      })),
      ...fields,
    ]}
    run={async (texts) => {
      const values = member.inputs.map((_, index) => texts(fieldOf(index)));
      return run(encodeCall(member, values), texts);
    }}
  />
);

const Name = ({ text }: { text: string }) => (
  <strong class="name">
    <ChainText text={text} length={60} />
  </strong>
);

const Results = ({ values }: { values: Outcome }) =>
  values.length === 0 ? (
    <p class="quiet">It returned nothing.</p>
  ) : (
    <NamedValues values={values.map((value) => ({ ...value, name: value.name || "result" }))} />
  );

interface ViewProps extends FunctionProps {
  readonly decimals: number | undefined;
  /** Text of the field "At block". */
  readonly block: string;
}

async function callView(
  { address, member, members, decimals, block }: ViewProps,
  data: Hex,
): Promise<Outcome> {
  const { data: returned, failure } = await admin("nodeCall", {
    ...{ to: address, data, block: blockOf(block) },
  });
  if (failure !== null || returned === null) {
    const reason = explainRevert(members, failure?.data ?? null, failure?.message ?? "no data");
    // A contract reverts without data if it has no function with this selector.
    const hint = (failure?.data ?? "0x") === "0x" ? `; does the contract have ${member.name}?` : "";
    throw new Error(`${reason}${hint}`);
  }
  if (returned === "0x" && member.outputs.length > 0)
    throw new Error("It returned no data: there was no contract at this address at that block");
  const values = decodeValues(member.outputs, returned);
  return returnsAmount(member.signature) ? values.map((value) => ({ ...value, decimals })) : values;
}

/** A view function without arguments, called as soon as it is shown. */
function Getter(props: ViewProps) {
  const { address, member, block } = props;
  const loading = useQuery(
    ["getter", address, member.signature, block],
    () => callView(props, member.selector),
    { version: headId.use() },
  );
  return (
    <section class="function inline" aria-label={member.signature.slice(0, 100)}>
      <Name text={member.name} />
      <div role="status">
        <Loaded of={loading} what="Not called" lines={1}>
          {(values) =>
            values.length === 1 && values[0] ? (
              <Value {...values[0]} name={values[0].name || member.name} length={500} />
            ) : (
              <Results values={values} />
            )
          }
        </Loaded>
      </div>
    </section>
  );
}

interface Sending extends Omit<FunctionProps, "member"> {
  readonly from: string;
  readonly accounts: readonly Address[];
}

const COINS: Field = { name: "value", label: "Coins (smallest unit)", placeholder: "0" };

/** Sends a transaction that calls a function, and opens the transaction's page. */
async function sendCall(sending: Sending, data: Hex, coins: string): Promise<undefined> {
  const { address, members, from, accounts } = sending;
  const value = coins === "" ? 0n : integerOf(coins);
  if (value === undefined || value < 0n)
    throw new FieldError(
      COINS.name,
      `expected an integer such as 1000, 1.5e18 or 0x10, received "${coins}"`,
    );
  const input = { to: address, data, from: from as Address, ...(value > 0n && { value }) };
  // The node has the keys of its own accounts only, so it must impersonate any other sender.
  if (!accounts.some((account) => sameAddress(account, input.from)))
    await admin("nodeImpersonate", { account: input.from });
  const { transaction_hash, failure } = await admin("nodeSend", input);
  if (transaction_hash === null)
    throw new Error(explainRevert(members, failure?.data ?? null, failure?.message ?? "refused"));
  go(href("tx", transaction_hash));
}

interface WritesProps extends Omit<FunctionProps, "member"> {
  readonly writes: readonly Member[];
}

function Writes({ address, members, writes }: WritesProps) {
  const loading = useQuery(["nodeAccounts"], () => admin("nodeAccounts", {}));
  const accounts = loading.value?.accounts ?? [];
  const [from, setFrom] = useState("");
  useEffect(() => setFrom((chosen) => chosen || (accounts[0] ?? "")), [accounts[0]]);
  return (
    <Loaded of={loading} what="Could not load the node's accounts">
      {() =>
        accounts.length === 0 ? (
          <p class="note">
            The node cannot send transactions, because it has no unlocked accounts. anvil and
            Hardhat have some.
          </p>
        ) : (
          <>
            <FieldInput
              field={{
                name: "from",
                label: "From (an account of the node, or one to impersonate)",
                value: accounts[0] ?? "",
                suggestions: accounts,
                onInput: (text) => setFrom(text.trim()),
              }}
            />
            {writes.map((member) => (
              <MemberForm
                key={member.signature}
                member={member}
                fields={member.isPayable ? [COINS] : []}
                action="Send"
                busy="Sending…"
                isDisabled={from === ""}
                run={(data, texts) =>
                  sendCall({ address, members, from, accounts }, data, texts(COINS.name))
                }
              />
            ))}
          </>
        )
      }
    </Loaded>
  );
}

/** Shows the children if a node is followed and the reader has the admin token. */
function NodeGate({ children }: { children: () => ComponentChildren }) {
  const status = head.use();
  if (status !== undefined && status.node === null)
    return (
      <p class="note">
        Only a node can run contracts, and this service follows none. Start it with{" "}
        <code>serve --rpc URL --admin</code>.
      </p>
    );
  return <AdminGate title="Functions">{children}</AdminGate>;
}

interface FunctionsProps {
  readonly address: Address;
  /** Empty if no source is verified. */
  readonly abi: readonly unknown[];
  readonly decimals: number | undefined;
}

export function Functions({ address, abi, decimals }: FunctionsProps) {
  const [block, setBlock] = useState("");
  const members = membersOf(abi);
  const functions = members.filter(({ type }) => type === "function");
  const writes = functions.filter(({ isView }) => !isView);
  const views = functions.filter(({ isView }) => isView);
  const isGetter = ({ inputs }: Member) => inputs.length === 0;
  return (
    <NodeGate>
      {() => (
        <div class="functions">
          <FieldInput
            field={{
              ...{ name: "block", label: "At block", type: "number", placeholder: "the head" },
              onInput: setBlock,
            }}
          />
          {views.filter(isGetter).map((member) => (
            <Getter key={member.signature} {...{ address, member, members, decimals, block }} />
          ))}
          {views
            .filter((member) => !isGetter(member))
            .map((member) => (
              <MemberForm
                key={member.signature}
                member={member}
                action="Call"
                run={(data) => callView({ address, member, members, decimals, block }, data)}
              />
            ))}
          {writes.length > 0 && (
            <>
              <h2>Transactions</h2>
              <Writes {...{ address, members, writes }} />
            </>
          )}
        </div>
      )}
    </NodeGate>
  );
}
