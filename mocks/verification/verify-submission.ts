// The verdict on a submission: compiles it in the forms the chain's code may have, compares, and says what differs.
import type { UncoveredRegion } from "../chain/records.ts";
import { lastMetadata, metadataAddress } from "../metadata.ts";
import { type CodeForm, formsOf } from "./code-form.ts";
import { type ChainCode, Comparison, chainCode } from "./compare-contract.ts";
import { type Compilation, SourceError } from "./compilation.ts";
import { refuseModelChecker } from "./compiler-input.ts";
import { type CompilerVersion, writeVersion } from "./compiler-version.ts";
import type { CompiledContract } from "./compiler-worker.ts";
import type { OnChainContract, Verdict } from "./port.ts";
import { describeProxy } from "./proxy.ts";
import type { ReadSubmission } from "./submission.ts";

/** What compiling in one form showed. */
type Attempt =
  | { readonly compiled: CompiledContract; readonly exact: boolean }
  | { readonly compiled: CompiledContract | undefined; readonly differs: string };

/** A submission to a compiler of that version. */
export interface Trial {
  readonly compilation: Compilation;
  readonly version: CompilerVersion;
  readonly read: ReadSubmission;
  readonly onChain: OnChainContract;
}

/** Names of the libraries that a contract is linked with. */
const linkedLibraries = ({ creation, runtime }: CompiledContract): string[] =>
  [creation, runtime].flatMap(({ linkReferences }) =>
    Object.values(linkReferences).flatMap(Object.keys),
  );

/** Whether the compiler may have linked a contract: its metadata then names the libraries, which changes the hash. */
const mayBeLinked = (compiled: CompiledContract, { libraries }: ReadSubmission) =>
  libraries.length > 0 && linkedLibraries(compiled).length > 0;

async function tryForm(
  { compilation, version, read }: Trial,
  chain: ChainCode,
  form: CodeForm,
): Promise<Attempt> {
  const compiled = await compilation.contract(read, version, { form });
  const comparison = new Comparison(compiled, read, chain);
  const first = comparison.difference();
  if (first === undefined) return { compiled, exact: true };
  // Only a hash is worth a second compilation, which locates the metadata.
  if (!comparison.mayDifferInMetadata) return { compiled, differs: first };
  if (mayBeLinked(compiled, read) && comparison.runtimeLikelyMatches) {
    const linked = await compilation.contract(read, version, { form, linked: true });
    if (new Comparison(linked, read, chain).difference() === undefined)
      return { compiled, exact: true };
  }
  const other = await compilation.contract(read, version, { form, otherMetadata: true });
  const differs = comparison.differenceInProgram(other);
  return differs === undefined ? { compiled, exact: false } : { compiled, differs };
}

/** The same, where a form in which the compiler cannot write the code is one that differs. */
async function tryOtherForm(trial: Trial, chain: ChainCode, form: CodeForm): Promise<Attempt> {
  try {
    return await tryForm(trial, chain, form);
  } catch (error) {
    if (error instanceof SourceError && error.inCode)
      return { compiled: undefined, differs: error.message };
    throw error;
  }
}

/** What the proof leaves open. */
function uncovered(exact: boolean, chain: ChainCode): readonly UncoveredRegion[] {
  if (exact && lastMetadata(chain.runtime)?.hash) return [];
  return ["metadata hash", ...(chain.creation ? [] : (["creation code"] as const))];
}

function accepted(
  { version, read, onChain }: Trial,
  chain: ChainCode,
  compiled: CompiledContract,
  exact: boolean,
): Verdict {
  const { address, runtimeCode } = onChain;
  const matches = chain.creation
    ? "Runtime code, creation code and constructor arguments match"
    : "Runtime code matches (the creation code is unknown)";
  const hash = !lastMetadata(chain.runtime)?.hash
    ? "the code has no metadata hash"
    : exact
      ? "so does the metadata"
      : "the metadata hash differs";
  const linked = linkedLibraries(compiled);
  const open = uncovered(exact, chain);
  const message = `${matches}; ${hash}`;
  return {
    verified: true,
    message,
    contract: {
      address,
      compiler: writeVersion(version),
      libraries: read.libraries
        .filter(({ name }) => linked.includes(name))
        .map(({ name, address }) => ({ name, address })),
      contractName: read.contract,
      runs: read.runs,
      optimizationEnabled: read.optimizationEnabled,
      code: runtimeCode,
      abi: compiled.abi,
      source: read.source,
      // Nothing proves arguments without the creation code.
      constructorArguments: chain.creation ? read.constructorArguments : "",
      swarmSource: metadataAddress(runtimeCode),
      message,
      level: open.length === 0 ? "exact" : "partial",
      uncovered: open,
    },
  };
}

/** Whether code seems that of another contract: it lacks a function, or is so long that the contract may be embedded in it. */
const isLikelyAnother = ({ selectors, runtime }: CompiledContract, chain: ChainCode) =>
  selectors.length === 0 ||
  selectors.some((selector) => !chain.runtime.includes(selector, "hex")) ||
  chain.runtime.length > runtime.object.length;

/** The contract of the source that matches instead of the submitted one. */
async function matchingContract(
  { compilation, version, read }: Trial,
  chain: ChainCode,
  form: CodeForm,
): Promise<string | undefined> {
  const contracts = await compilation.all(read, version, form);
  const [match] = [...contracts].find(
    ([name, contract]) =>
      name !== read.contract &&
      contract.runtime.object !== "" &&
      new Comparison(contract, read, chain).runtimeLikelyMatches,
  ) ?? [undefined];
  return match;
}

/** Verifies a submission. @throws SubmissionError if it cannot be compiled */
export async function verifySubmission(trial: Trial): Promise<Verdict> {
  const { read, version, onChain } = trial;
  refuseModelChecker(read, version);
  const chain = chainCode(onChain);
  const forms = formsOf(chain.runtime, version);
  const attempts: (Attempt & { readonly form: CodeForm })[] = [];
  for (const form of forms) {
    const attempt = await (forms.length > 1 ? tryOtherForm : tryForm)(trial, chain, form);
    if ("exact" in attempt) return accepted(trial, chain, attempt.compiled, attempt.exact);
    attempts.push({ ...attempt, form });
  }
  const [likely] = attempts.filter(({ compiled }) => compiled !== undefined);
  const [best = likely] = attempts;
  const reasons = [best && "differs" in best ? best.differs : "No form of the source compiles"];
  const text = read.sources[read.file] ?? "";
  const severalContracts = (text.match(/\b(contract|library)\s+[\w$]+/g) ?? []).length > 1;
  if (likely?.compiled && severalContracts && isLikelyAnother(likely.compiled, chain)) {
    const match = await matchingContract(trial, chain, likely.form);
    if (match !== undefined) reasons.unshift(`Contract ${match} of this source matches`);
  }
  if (onChain.proxy) reasons.unshift(describeProxy(onChain.address, onChain.proxy));
  return { verified: false, message: reasons.join("; ") };
}
