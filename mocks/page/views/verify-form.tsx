// The form that verifies a contract by a source or the files of a project.
import { useState } from "preact/hooks";
import { asObject } from "../../../src/models/json.ts";
import type { Address } from "../../../src/models/primitives.ts";
import {
  compilerIn,
  compilerInputOf,
  contractsIn,
  type DroppedFile,
  type DroppedProject,
  projectOf,
} from "../code/project.ts";
import { grouped } from "../format/values.ts";
import { Failure } from "../parts/failure.tsx";
import { type Field, Form, type Texts, useAction } from "../parts/form.tsx";
import { ChainText } from "../parts/text.tsx";
import { choose } from "../router.ts";
import { access, head, past } from "../service/head.ts";
import { inspect } from "../service/inspect.ts";
import { useQuery } from "../service/queries.ts";
import { keyToSend } from "../store.ts";

const releaseOf = (version: string): string => version.replace(/^v|\+.*$/g, "");

/** Offers the installed compilers, and preselects the one that the code or the project names. */
function compilerField(compilers: readonly string[], named: string | undefined): Field {
  const shared = { name: "compiler", label: "Compiler", required: true };
  if (compilers.length === 0) return { ...shared, placeholder: "v0.8.20+commit.a1b79de6" };
  const installed =
    compilers.find((version) => version === named) ??
    compilers.find((version) => named !== undefined && releaseOf(version) === releaseOf(named));
  const options = [
    ...(named && !installed ? [[named, `${named} (not installed)`] as const] : []),
    ...compilers.toReversed().map((version) => [version, version] as const),
  ];
  return { ...shared, options, value: installed ?? named ?? options[0]?.[0] ?? "" };
}

/** Settings that a compiler's whole input has itself. */
const settingFields: readonly Field[] = [
  { name: "evm_version", label: "EVM version", placeholder: "the compiler's default" },
  { name: "runs", label: "Optimizer runs", type: "number", value: "200" },
  { name: "optimizer", label: "The optimizer was on", type: "checkbox" },
];

const settingsOf = (texts: Texts) => ({
  optimizer: { enabled: texts("optimizer") === "on", runs: Number(texts("runs")) },
  ...(texts("evm_version") !== "" && { evmVersion: texts("evm_version") }),
});

interface VerifyFormProps {
  readonly address: Address;
  readonly onVerified: () => void;
}

export function VerifyForm({ address, onVerified }: VerifyFormProps) {
  const [project, setProject] = useState<DroppedProject>();
  const [source, setSource] = useState("");
  const dropping = useAction();
  const { compilers = [], verifier = true } = access.use() ?? {};
  const { value: code } = useQuery(
    ["code", address],
    async () => (await inspect("account", { address })).code,
    { version: past.use(), once: true },
  );
  const typed = { "Source.sol": source };
  const { contracts, likely } = project ?? contractsIn(typed);
  const fields: readonly Field[] = [
    {
      name: "contract",
      label: "Contract",
      options: [
        // The first of several would be a guess.
        ...(likely === undefined ? [["", "choose"] as const] : []),
        ...contracts.map((name) => [name, name.replace(/^Source\.sol:/, "")] as const),
      ],
      value: likely ?? "",
      required: true,
    },
    compilerField(compilers, project?.compiler ?? (code ? compilerIn(code) : undefined)),
    ...(project?.input === undefined ? settingFields : []),
    ...(project === undefined
      ? [
          {
            name: "source",
            label: "Source",
            type: "textarea" as const,
            required: true,
            onInput: setSource,
          },
        ]
      : []),
  ];
  const submit = async (texts: Texts) => {
    const { sources = typed, input = compilerInputOf(sources, settingsOf(texts)) } = project ?? {};
    await verify({ address, input, contract: texts("contract"), compiler: texts("compiler") });
    onVerified();
    choose({ list: "source" });
  };
  return (
    <>
      {!verifier && (
        <p class="note">
          This service has no compilers: start it with a verifier (see “Contract verification”).
        </p>
      )}
      <FilesField
        label="Drop the project's files here: .sol, a standard JSON input, or a build-info"
        onFiles={(files) => dropping.run(async () => setProject(projectOf(await files())))}
      />
      <Failure what="Cannot use these files" error={dropping.error} />
      {project && (
        <p class="quiet">
          {grouped(Object.keys(project.sources).length)} files:{" "}
          <ChainText text={Object.keys(project.sources).join(", ")} length={300} />
          {project.input && ". The settings are those of the compiler's input."}
        </p>
      )}
      <Form
        {...{ fields, layout: "grid", isPrimary: true, run: submit }}
        action="Verify"
        busy="Compiling…"
        what="Not verified"
      >
        {project && (
          <button type="button" onClick={() => setProject(undefined)}>
            Type a source instead
          </button>
        )}
      </Form>
    </>
  );
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

interface Submission {
  readonly address: string;
  /** "contracts/Kiosk.sol:Kiosk" */
  readonly contract: string;
  readonly compiler: string;
  readonly input: object;
}

/** Submits a compiler's input and waits for the verdict. Throws if the source is refused. */
async function verify({ address, contract, compiler, input }: Submission): Promise<void> {
  const { verificationId } = await ask(`${head.get()?.chain_id ?? 0}/${address}`, {
    stdJsonInput: input,
    compilerVersion: compiler,
    contractIdentifier: contract,
  });
  for (;;) {
    const { isJobCompleted, error } = await ask(encodeURIComponent(`${verificationId}`));
    if (isJobCompleted !== true) continue;
    if (error === undefined) return;
    throw new Error(`${asObject(error).message}`);
  }
}

interface FilesFieldProps {
  readonly label: string;
  readonly onFiles: (files: () => Promise<readonly DroppedFile[]>) => void;
}

/** A field that takes files also where they are dropped on it. */
const FilesField = ({ label, onFiles }: FilesFieldProps) => (
  <label class="drop">
    <span>{label}</span>
    <input
      type="file"
      name="files"
      multiple
      accept=".sol,.json"
      onChange={({ currentTarget }) => {
        const files = [...(currentTarget.files ?? [])];
        onFiles(() =>
          Promise.all(files.map(async (file) => ({ name: file.name, text: await file.text() }))),
        );
      }}
    />
  </label>
);
