// The functions of a contract in forms: views at the head or at any block, transactions from the node's accounts, and storage by slot.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type Member, membersOf } from "../../../src/cli/abi.ts";
import type { Address, Hex } from "../../../src/models/primitives.ts";
import { sameAddress } from "../../../src/resources/display.ts";
import { returnsAmount } from "../../inspect/standard-abi.ts";
import {
  decodeValues,
  encodeCall,
  explainRevert,
  labelOf,
  type NamedValue,
} from "../format/abi.ts";
import { useAction } from "../parts/action.tsx";
import { AdminGate } from "../parts/admin-gate.tsx";
import { NamedValues } from "../parts/code.tsx";
import { Failure, Loaded } from "../parts/failure.tsx";
import { Field, formFields } from "../parts/field.tsx";
import { ChainText } from "../parts/text.tsx";
import { go, href } from "../router.ts";
import { admin } from "../service/admin.ts";
import { head } from "../service/head.ts";
import { useQuery } from "../service/queries.ts";

const Values = ({ values }: { values: Outcome }) =>
  values.length === 0 ? (
    <p class="quiet">It returned nothing.</p>
  ) : (
    <NamedValues
      values={values.map(({ text, name, ...one }) => ({
        ...one,
        name: name || "result",
        value: text,
      }))}
    />
  );

/** The number in a field for a block; undefined for the head. */
function blockOf(text: string): number | undefined {
  const compact = text.trim().replaceAll(",", "");
  if (compact === "" || compact === "latest") return undefined;
  if (!/^\d{1,15}$/.test(compact))
    throw new Error(`Block: expected a number, or nothing for the head, received "${text}"`);
  return Number(compact);
}

/** The number of a slot, in digits or hexadecimal. */
function slotOf(text: string): bigint {
  if (!/^(0x[\da-f]{1,64}|\d{1,78})$/i.test(text))
    throw new Error(`Slot: expected a number or 0x and up to 64 digits, received "${text}"`);
  return BigInt(text);
}

type Outcome = readonly NamedValue[];

interface FunctionFormProps {
  /** For those who cannot see the form. */
  readonly label: string;
  readonly name: ComponentChildren;
  /** Undefined where what comes of it is on another page. */
  readonly run: (field: (name: string) => string) => Promise<Outcome | undefined>;
  /** Fields and a button. */
  readonly children: (isBusy: boolean) => ComponentChildren;
}

/** A form that does something with what is typed, and shows what came of it. */
function FunctionForm({ label, name, run, children }: FunctionFormProps) {
  const [values, setValues] = useState<Outcome>();
  const action = useAction();
  const submit = (event: SubmitEvent) => {
    const field = formFields(event);
    setValues(undefined);
    action.run(async () => setValues(await run(field)));
  };
  return (
    <form class="function" onSubmit={submit} aria-label={label}>
      <div class="inline">
        <strong class="name">{name}</strong>
        {children(action.isBusy)}
      </div>
      <div role="status">
        {values && <Values values={values} />}
        <Failure error={action.error} what="Not done" retry={action.retry} />
      </div>
    </form>
  );
}

interface FormProps {
  readonly address: Address;
  readonly member: Member;
  readonly members: readonly Member[];
  /** Of the token that the contract is. */
  readonly decimals: number | undefined;
}

const Inputs = ({ member }: { member: Member }) => (
  <>
    {member.inputs.map((input, index) => (
      <Field key={index} label={labelOf(input, index)} name={`argument-${index}`} />
    ))}
  </>
);

const headingOf = ({ name, signature }: Member) => ({
  label: signature.slice(0, 100),
  name: <ChainText text={name} length={60} />,
});

const textsOf = (member: Member, field: (name: string) => string) =>
  member.inputs.map((_, index) => field(`argument-${index}`));

/** A function that changes nothing. */
function ViewForm({ address, member, members, decimals, block }: FormProps & { block: string }) {
  const call = async (field: (name: string) => string): Promise<Outcome> => {
    const data = encodeCall(member, textsOf(member, field));
    const input = { to: address, data, block: blockOf(block) };
    const { data: returned, failure } = await admin("nodeCall", input);
    if (failure !== null || returned === null)
      throw new Error(explainRevert(members, failure?.data ?? null, failure?.message ?? "no data"));
    if (returned === "0x" && member.outputs.length > 0)
      throw new Error("It returned no data: there was no such contract at that block");
    const values = decodeValues(member.outputs, returned);
    return returnsAmount(member.signature) ? values.map((one) => ({ ...one, decimals })) : values;
  };
  return (
    <FunctionForm {...headingOf(member)} run={call}>
      {() => (
        <>
          <Inputs member={member} />
          <button type="submit">Call</button>
        </>
      )}
    </FunctionForm>
  );
}

/** A function that changes something: a transaction of one of the node's accounts. */
function WriteForm({
  address,
  member,
  members,
  from,
  accounts,
}: Omit<FormProps, "decimals"> & { from: string; accounts: readonly Address[] }) {
  const send = async (field: (name: string) => string): Promise<undefined> => {
    const data = encodeCall(member, textsOf(member, field));
    const value = field("value").replaceAll(/[_,]/g, "");
    if (!/^\d*$/.test(value))
      throw new Error(`Coins: expected an integer in the smallest unit, received "${value}"`);
    const input = {
      to: address,
      data,
      from: from as Address,
      ...(value !== "" && { value: BigInt(value) }),
    };
    // The node has no key of any other account.
    if (!accounts.some((one) => sameAddress(one, input.from)))
      await admin("nodeImpersonate", { account: input.from });
    const { transaction_hash, failure } = await admin("nodeSend", input);
    if (transaction_hash === null)
      throw new Error(explainRevert(members, failure?.data ?? null, failure?.message ?? "refused"));
    go(href("tx", transaction_hash));
  };
  return (
    <FunctionForm {...headingOf(member)} run={send}>
      {(isBusy) => (
        <>
          <Inputs member={member} />
          {member.isPayable && <Field label="Coins (smallest unit)" name="value" />}
          <button type="submit" disabled={isBusy || from === ""}>
            {isBusy ? "Sending…" : "Send"}
          </button>
        </>
      )}
    </FunctionForm>
  );
}

/** A word as what it may be. */
function wordAs(word: Hex): readonly NamedValue[] {
  const number = BigInt(word);
  const bytes = word.slice(2).match(/../g) ?? [];
  const length = Number.parseInt(bytes[31] ?? "0", 16);
  const text =
    length > 0 && length % 2 === 0 && length <= 62
      ? bytes.slice(0, length / 2).map((byte) => String.fromCharCode(Number.parseInt(byte, 16)))
      : [];
  const isText = text.length > 0 && text.every((one) => /[ -~]/.test(one));
  const isAccount = number > 0xffff_ffffn && number < 2n ** 160n;
  return [
    { name: "word", type: "bytes32", text: word },
    { name: "as a number", type: "uint256", text: `${number}` },
    ...(isAccount
      ? [{ name: "as an address", type: "address", text: `0x${word.slice(-40)}` }]
      : []),
    ...(isText ? [{ name: "as a text", type: "string", text: text.join("") }] : []),
  ];
}

function StorageForm({ address, block }: { address: Address; block: string }) {
  const read = async (field: (name: string) => string): Promise<Outcome> => {
    const input = { address, slot: slotOf(field("slot")), block: blockOf(block) };
    const { data } = await admin("nodeStorage", input);
    return wordAs(data);
  };
  return (
    <FunctionForm label="Storage" name="Storage" run={read}>
      {() => (
        <>
          <Field label="Slot" name="slot" placeholder="0" required />
          <button type="submit">Read</button>
        </>
      )}
    </FunctionForm>
  );
}

function Writes({
  address,
  members,
  writes,
}: {
  address: Address;
  members: readonly Member[];
  writes: readonly Member[];
}) {
  const loading = useQuery(["nodeAccounts"], (signal) => admin("nodeAccounts", {}, { signal }));
  const [chosen, setChosen] = useState("");
  return (
    <Loaded of={loading} what="Could not load the node's accounts">
      {({ accounts }) => {
        const from = chosen || (accounts[0] ?? "");
        return (
          <>
            {accounts.length === 0 ? (
              <p class="note">
                The node has no unlocked accounts (anvil and Hardhat have some): it sends no
                transactions.
              </p>
            ) : (
              <>
                <Field
                  label="From (of the node's accounts, or one to impersonate)"
                  name="from"
                  list="node-accounts"
                  value={from}
                  onInput={(event) => setChosen(event.currentTarget.value.trim())}
                />
                <datalist id="node-accounts">
                  {accounts.map((one) => (
                    <option key={one} value={one} />
                  ))}
                </datalist>
              </>
            )}
            {writes.map((member) => (
              <WriteForm key={member.signature} {...{ address, member, members, from, accounts }} />
            ))}
          </>
        );
      }}
    </Loaded>
  );
}

/** The children, where a node is followed and the token is there. */
function NodeGate({ title, children }: { title: string; children: () => ComponentChildren }) {
  const known = head.use();
  if (known !== undefined && known.node === null)
    return (
      <p class="note">
        This service follows no node, and only a node runs contracts: start it with{" "}
        <code>serve --rpc URL --admin</code>.
      </p>
    );
  return <AdminGate title={title}>{children}</AdminGate>;
}

interface FunctionsProps {
  readonly address: Address;
  /** Empty where no source is verified: then there is storage. */
  readonly abi: readonly unknown[];
  readonly decimals: number | undefined;
}

export function Functions({ address, abi, decimals }: FunctionsProps) {
  const [block, setBlock] = useState("");
  const members = membersOf(abi);
  const functions = members.filter(({ type }) => type === "function");
  const writes = functions.filter(({ isView }) => !isView);
  return (
    <NodeGate title="Functions">
      {() => (
        <div class="functions">
          <Field
            label="At block"
            name="block"
            inputMode="numeric"
            placeholder="the head"
            value={block}
            onInput={(event) => setBlock(event.currentTarget.value)}
          />
          {functions
            .filter(({ isView }) => isView)
            .map((member) => (
              <ViewForm key={member.signature} {...{ address, member, members, decimals, block }} />
            ))}
          <StorageForm address={address} block={block} />
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
