// The form that submits a source for verification (C3).
import { useState } from "preact/hooks";
import type { Verification } from "../../../src/models/contract.ts";
import type { Address } from "../../../src/models/primitives.ts";
import { Failure } from "../parts/failure.tsx";
import { Field, fieldsOf } from "../parts/field.tsx";
import { createServiceClient } from "../service/explorer.ts";
import { access } from "../service/head.ts";

/** "Math=0x…, Other=0x…" */
function librariesOf(text: string): { name: string; address: Address }[] {
  return text.split(/[\s,]+/).flatMap((pair) => {
    const [name = "", address = ""] = pair.split("=");
    return pair === "" ? [] : [{ name, address: address as Address }];
  });
}

type Outcome =
  | { readonly state: "idle" | "busy" }
  | { readonly state: "verified"; readonly result: Verification }
  | { readonly state: "failed"; readonly error: unknown };

interface VerifyFormProps {
  readonly address: Address;
  readonly onVerified?: () => void;
}

export function VerifyForm({ address, onVerified }: VerifyFormProps) {
  const [source, setSource] = useState("");
  const [outcome, setOutcome] = useState<Outcome>({ state: "idle" });
  const hasVerifier = access.use()?.verifier ?? true;

  const submit = async (event: SubmitEvent) => {
    const field = fieldsOf(event);
    setOutcome({ state: "busy" });
    try {
      const libraries = librariesOf(field("libraries"));
      const result = await createServiceClient({ timeout: 90_000 }).contracts.verify(address, {
        contract_name: field("contract_name"),
        compiler: field("compiler"),
        runs_optimizer: Number(field("runs_optimizer")),
        optimization_enabled: field("optimization_enabled") === "on",
        constructor_arguments: field("constructor_arguments"),
        ...(field("evm_version") ? { evm_version: field("evm_version") } : {}),
        ...(libraries.length > 0 ? { libraries } : {}),
        source,
      });
      setOutcome({ state: "verified", result });
      onVerified?.();
    } catch (error) {
      setOutcome({ state: "failed", error });
    }
  };
  const read = async (files: FileList | null) => {
    const [file] = files ?? [];
    if (file) setSource(await file.text());
  };

  return (
    <form onSubmit={submit}>
      {!hasVerifier && (
        <p class="note">
          This service has no compilers: start it with a verifier (see “Contract verification”).
        </p>
      )}
      <div class="fields">
        <Field label="Contract name" name="contract_name" required placeholder="Market" />
        <Field label="Compiler" name="compiler" required placeholder="v0.8.20+commit.a1b79de6" />
        <Field label="EVM version" name="evm_version" placeholder="the compiler's default" />
        <Field label="Optimizer runs" name="runs_optimizer" type="number" min="0" value="200" />
        <Field
          label="Constructor arguments"
          name="constructor_arguments"
          placeholder="hexadecimal"
        />
        <Field label="Libraries" name="libraries" placeholder="Name=0x…, Name=0x…" />
        <label class="check">
          <input type="checkbox" name="optimization_enabled" />
          The optimizer was on
        </label>
        <Field
          label="Source from a file"
          name="file"
          type="file"
          accept=".sol,.json"
          onChange={(event) => read(event.currentTarget.files)}
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
      </div>
      <button type="submit" class="primary" disabled={outcome.state === "busy"}>
        {outcome.state === "busy" ? "Compiling…" : "Verify"}
      </button>
      <div role="status">
        {outcome.state === "verified" && (
          <p>
            <span class="badge good">{outcome.result.verify_level ?? "verified"}</span>{" "}
            {outcome.result.verify_message}
          </p>
        )}
      </div>
      {outcome.state === "failed" && (
        <Failure
          what="Not verified"
          error={outcome.error}
          retry={() => setOutcome({ state: "idle" })}
        />
      )}
    </form>
  );
}
