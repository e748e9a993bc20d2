// Submits a compiler's whole input for verification, as tools do to Sourcify: C3 has no form for several files.
import { head } from "./head.ts";
import { keyToSend } from "./keys.ts";

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
  if (!response.ok) throw new Error(`${Object(answer).message ?? `HTTP ${response.status}`}`);
  return Object(answer);
}

/** Resolves when it is verified. Rejects with what differs. */
export async function submitInput({
  address,
  contract,
  compiler,
  input,
}: WholeSubmission): Promise<void> {
  const { verificationId } = await ask(`${head.get()?.chain_id ?? 0}/${address}`, {
    stdJsonInput: input,
    compilerVersion: compiler,
    contractIdentifier: contract,
  });
  for (;;) {
    const { isJobCompleted, error } = await ask(encodeURIComponent(`${verificationId}`));
    if (isJobCompleted === true && error === undefined) return;
    if (isJobCompleted === true) throw new Error(`${Object(error).message}`);
  }
}
