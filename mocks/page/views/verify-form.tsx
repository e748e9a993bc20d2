// The form that submits a source for verification: one text (C3), or the files of a project, filled in with what the chain proves.

import { useState } from "preact/hooks";
import type { Verification } from "../../../src/models/contract.ts";
import { asObject } from "../../../src/models/json.ts";
import type { Address } from "../../../src/models/primitives.ts";
import {
  argumentsIn,
  compilerIn,
  compilerInputOf,
  contractsIn,
  type DroppedFile,
  type DroppedProject,
  projectOf,
} from "../code/project.ts";
import { grouped } from "../format/values.ts";
import { useAction } from "../parts/action.tsx";
import { Failure } from "../parts/failure.tsx";
import { Field, formFields, Select } from "../parts/field.tsx";
import { ChainText } from "../parts/text.tsx";
import { createServiceClient } from "../service/explorer.ts";
import { access, head, past } from "../service/head.ts";
import { inspect } from "../service/inspect.ts";
import { useQuery } from "../service/queries.ts";
import { keyToSend } from "../store.ts";

interface Library {
  readonly name: string;
  readonly address: Address;
}

/** "Math=0x…, Other=0x…" */
function librariesOf(text: string): Library[] {
  return text.split(/[\s,]+/).flatMap((pair) => {
    const [name = "", address = ""] = pair.split("=");
    return pair === "" ? [] : [{ name, address: address as Address }];
  });
}

interface VerifyFormProps {
  readonly address: Address;
  readonly onVerified?: () => void;
}

/** What the chain proves of how the contract was made. */
async function factsOf(address: Address, signal: AbortSignal) {
  const { code, creation } = await inspect("account", { address }, { signal });
  const compiler = compilerIn(code);
  if (creation === null) return { compiler, given: undefined };
  const hash = creation.transaction_hash;
  const { transaction, input } = await inspect("transaction", { hash }, { signal });
  const isOwn = transaction.contract_address?.toLowerCase() === address.toLowerCase();
  return { compiler, given: isOwn ? argumentsIn(input, code) : undefined };
}

/** The compiler's settings that the fields mean, for sources without any. */
function settingsOf(field: (name: string) => string, files: readonly string[]): object {
  const evmVersion = field("evm_version");
  const byName = Object.fromEntries(
    librariesOf(field("libraries")).map(({ name, address }) => [name, address]),
  );
  const libraries = Object.fromEntries(files.map((file) => [file, byName]));
  return {
    optimizer: {
      enabled: field("optimization_enabled") === "on",
      runs: Number(field("runs_optimizer")),
    },
    ...(evmVersion !== "" && { evmVersion }),
    ...(Object.keys(byName).length > 0 && { libraries }),
  };
}

function submitSource(address: Address, source: string, field: (name: string) => string) {
  const libraries = librariesOf(field("libraries"));
  return createServiceClient({ timeout: 90_000 }).contracts.verify(address, {
    contract_name: field("contract_name"),
    compiler: field("compiler"),
    runs_optimizer: Number(field("runs_optimizer")),
    optimization_enabled: field("optimization_enabled") === "on",
    constructor_arguments: field("constructor_arguments"),
    ...(field("evm_version") ? { evm_version: field("evm_version") } : {}),
    ...(libraries.length > 0 ? { libraries } : {}),
    source,
  });
}

/** The compilers at hand, and the one that the chain or the project names. */
function CompilerField({ named }: { named: string | undefined }) {
  const compilers = access.use()?.compilers ?? [];
  const releaseOf = (version: string) => version.replace(/^v|\+.*$/g, "");
  const known =
    compilers.find((one) => one === named) ??
    compilers.find((one) => named !== undefined && releaseOf(one) === releaseOf(named));
  const [chosen, setChosen] = useState<string>();
  if (compilers.length === 0)
    return (
      <Field label="Compiler" name="compiler" required placeholder="v0.8.20+commit.a1b79de6" />
    );
  const options = [
    ...(named && !known ? [[named, `${named} (not installed)`] as const] : []),
    ...compilers.toReversed().map((one) => [one, one] as const),
  ];
  return (
    <Select
      label="Compiler"
      name="compiler"
      options={options}
      value={chosen ?? known ?? named ?? options[0]?.[0] ?? ""}
      onChange={setChosen}
    />
  );
}

/** Fields for settings, which a compiler's whole input has itself. */
const Settings = () => (
  <>
    <Field label="EVM version" name="evm_version" placeholder="the compiler's default" />
    <Field label="Optimizer runs" name="runs_optimizer" type="number" min="0" value="200" />
    <Field label="Libraries" name="libraries" placeholder="Name=0x…, Name=0x…" />
    <label class="check">
      <input type="checkbox" name="optimization_enabled" />
      The optimizer was on
    </label>
  </>
);

function ProjectFields({ project }: { project: DroppedProject }) {
  const [chosen, setChosen] = useState<string>();
  return (
    <>
      <Select
        label="Contract"
        name="contract_name"
        options={project.contracts.map((name) => [name, name] as const)}
        value={chosen ?? project.contracts[0] ?? ""}
        onChange={setChosen}
      />
      <p class="quiet all">
        {grouped(Object.keys(project.sources).length)} files:{" "}
        <ChainText text={Object.keys(project.sources).join(", ")} length={300} />
        {project.input && ". The settings are those of the compiler's input."}
      </p>
    </>
  );
}

function SourceFields({ given }: { given: string | undefined }) {
  const [source, setSource] = useState("");
  const [named] = contractsIn({ "": source });
  const [name, setName] = useState<string>();
  const [typed, setTyped] = useState<string>();
  return (
    <>
      <Field
        label="Contract name"
        name="contract_name"
        required
        placeholder="Market"
        value={name ?? named?.slice(1) ?? ""}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <Field
        label={given ? "Constructor arguments (from the chain)" : "Constructor arguments"}
        name="constructor_arguments"
        placeholder="hexadecimal"
        value={typed ?? given ?? ""}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <label class="all">
        <span>Source</span>
        <textarea
          name="source"
          rows={10}
          required
          spellcheck={false}
          value={source}
          onInput={(event) => setSource(event.currentTarget.value)}
        />
      </label>
    </>
  );
}

/** Submits a project, or the source in the form. */
async function submitForm(
  address: Address,
  project: DroppedProject | undefined,
  field: (name: string) => string,
): Promise<Verification | undefined> {
  if (project === undefined) return submitSource(address, field("source"), field);
  const { sources } = project;
  const input =
    project.input ?? compilerInputOf(sources, { ...settingsOf(field, Object.keys(sources)) });
  const [contract, compiler] = [field("contract_name"), field("compiler")];
  await submitInput({ address, contract, compiler, input });
  return undefined;
}

export function VerifyForm({ address, onVerified }: VerifyFormProps) {
  const [project, setProject] = useState<DroppedProject>();
  const dropping = useAction();
  const [verified, setVerified] = useState<{ readonly result: Verification | undefined }>();
  const { isBusy, error, run, retry } = useAction();
  const hasVerifier = access.use()?.verifier ?? true;
  const facts = useQuery(["facts", address], (signal) => factsOf(address, signal), {
    version: past.use(),
    once: true,
  }).value;
  const submit = (event: SubmitEvent) => {
    const field = formFields(event);
    setVerified(undefined);
    run(async () => {
      setVerified({ result: await submitForm(address, project, field) });
      onVerified?.();
    });
  };
  return (
    <form onSubmit={submit}>
      {!hasVerifier && (
        <p class="note">
          This service has no compilers: start it with a verifier (see “Contract verification”).
        </p>
      )}
      <DropFiles
        label="Drop the project's files here: .sol, a standard JSON input, or a build-info"
        onFiles={(files) => dropping.run(async () => setProject(projectOf(await files())))}
      />
      <div class="fields">
        {project && <ProjectFields project={project} />}
        <CompilerField named={project?.compiler ?? facts?.compiler} />
        {project?.input === undefined && <Settings />}
        {project === undefined && <SourceFields given={facts?.given} />}
      </div>
      <button type="submit" class="primary" disabled={isBusy}>
        {isBusy ? "Compiling…" : "Verify"}
      </button>{" "}
      {project && (
        <button type="button" onClick={() => setProject(undefined)}>
          Type a source instead
        </button>
      )}
      <div role="status">
        {verified && (
          <p>
            <span class="badge good">{verified.result?.verify_level ?? "verified"}</span>{" "}
            {verified.result?.verify_message}
          </p>
        )}
      </div>
      <Failure what="Cannot use these files" error={dropping.error} />
      <Failure what="Not verified" error={error} retry={retry} />
    </form>
  );
}

interface WholeSubmission {
  readonly address: string;
  /** "contracts/Kiosk.sol:Kiosk" */
  readonly contract: string;
  readonly compiler: string;
  readonly input: object;
}

async function ask(path: string, body?: object): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(`/sourcify/v2/verify/${path}`, {
    headers: { "api-key": keyToSend(), "content-type": "application/json" },
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${asObject(answer).message ?? `HTTP ${response.status}`}`);
  return asObject(answer);
}

/** Resolves when it is verified. Rejects with what differs. */
async function submitInput({ address, contract, compiler, input }: WholeSubmission): Promise<void> {
  const { verificationId } = await ask(`${head.get()?.chain_id ?? 0}/${address}`, {
    stdJsonInput: input,
    compilerVersion: compiler,
    contractIdentifier: contract,
  });
  for (;;) {
    const { isJobCompleted, error } = await ask(encodeURIComponent(`${verificationId}`));
    if (isJobCompleted === true && error === undefined) return;
    if (isJobCompleted === true) throw new Error(`${asObject(error).message}`);
  }
}

/** More is no project. */
const MAX_FILES = 2000;
const WANTED = /\.(sol|json)$/;

const withText = async (name: string, file: File): Promise<DroppedFile> => ({
  name,
  text: await file.text(),
});

/** The files of what was dropped, folder by folder. */
async function filesIn(entry: FileSystemEntry, found: DroppedFile[]): Promise<void> {
  if (found.length >= MAX_FILES) return;
  if (entry.isFile && WANTED.test(entry.name)) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    found.push(await withText(entry.fullPath.replace(/^\//, ""), file));
  }
  if (!entry.isDirectory) return;
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (entries.length === 0) return;
    for (const one of entries) await filesIn(one, found);
  }
}

interface DropFilesProps {
  readonly label: string;
  readonly onFiles: (files: () => Promise<readonly DroppedFile[]>) => void;
}

function DropFiles({ label, onFiles }: DropFilesProps) {
  const [isOver, setOver] = useState(false);
  const choose = (list: FileList | null) => {
    const files = [...(list ?? [])];
    onFiles(() =>
      Promise.all(files.map((file) => withText(file.webkitRelativePath || file.name, file))),
    );
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const entries = [...(event.dataTransfer?.items ?? [])].flatMap(
      (item) => item.webkitGetAsEntry() ?? [],
    );
    onFiles(async () => {
      const found: DroppedFile[] = [];
      for (const entry of entries) await filesIn(entry, found);
      return found;
    });
  };
  return (
    <label
      class={isOver ? "drop over" : "drop"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <span>{label}</span>
      <input
        type="file"
        name="files"
        multiple
        accept=".sol,.json"
        onChange={(event) => choose(event.currentTarget.files)}
      />
    </label>
  );
}
