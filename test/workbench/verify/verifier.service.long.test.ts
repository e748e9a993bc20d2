// Verification through the whole product: client, HTTP, service, compilers, and what C1 and C2 answer then.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import {
  createExplorer,
  createVerifier,
  loadChain,
  type ServedExplorer,
  serveExplorer,
} from "../../../mocks/node.ts";
import { ExplorerClient, NotVerifiedError, VerificationError } from "../../../src/index.ts";
import { DEVNET, describeWith } from "../../support/chains.ts";
import { clientSubmissionOf, librariesOf, sources, wrongSources } from "./devnet.ts";
import { createVerifierOfAll, endless, hasOldCompilers } from "./support.ts";

describeWith(DEVNET, "verification over HTTP", () => {
  // Machines that test are busy machines.
  const hasOld = hasOldCompilers();
  const verifier = createVerifierOfAll({ timeout: 300_000 });
  let served: ServedExplorer;
  let client: ExplorerClient;

  beforeAll(async () => {
    const chain = await loadChain(DEVNET);
    served = await serveExplorer(createExplorer({ chain, verifier }));
    client = new ExplorerClient({ baseUrl: served.url, apiKey: "any", timeout: 300_000 });
  });
  afterAll(async () => {
    await served.close();
    await verifier.close();
  });

  test.skipIf(!hasOld)(
    "every source of the devnet is verified, and C1 and C2 answer for it then",
    async () => {
      for (const source of sources()) {
        const { address } = source;
        await expect(client.contracts.abi(address)).rejects.toThrow(NotVerifiedError);
        await expect(client.contracts.code(address)).rejects.toThrow(NotVerifiedError);

        const { data, verify_level, verify_message } = await client.contracts.verify(
          address,
          clientSubmissionOf(source),
        );
        expect(data).toBe("1");

        const signatures = (abi: readonly unknown[]) =>
          abi
            .map((entry) => entry as { type: string; name?: string })
            .map(({ type, name }) => [type, name]);
        expect(signatures(await client.contracts.abi(address))).toEqual(signatures(source.abi));
        expect(await client.contracts.code(address)).toMatchObject({
          address,
          compiler: source.compiler,
          contract_name: source.name,
          contract_source: source.source,
          constructor_arguments: source.constructorArguments,
          optimization_enabled: source.optimizer ? "1" : "0",
          libraries: JSON.stringify(librariesOf(source)),
          swam_source: expect.stringMatching(/^(ipfs:\/\/Qm\w{44}|bzzr[01]:\/\/[0-9a-f]{64})$/),
          verify_status: "1",
          verify_level,
          verify_uncovered: verify_level === "exact" ? [] : ["metadata hash", "ABI"],
          verify_message,
        });
        expect({ verify_level, verify_message }).toEqual({
          verify_level: expect.stringMatching(/^(exact|partial)$/),
          verify_message: expect.stringMatching(
            /^Runtime code, creation code and constructor arguments match; (so does the metadata|the metadata hash differs)$/,
          ),
        });
      }
    },
  );

  test.skipIf(!hasOld)(
    "a wrong source is refused with the reason, and what was proven stays",
    async () => {
      const wrong = wrongSources().find(({ what }) => what === "wrong library address");
      if (wrong === undefined) throw new Error("the devnet has no such submission");
      const right = sources().find(({ address }) => address === wrong.address);
      if (right === undefined) throw new Error("the devnet has no source of LibUser");
      await client.contracts.verify(right.address, clientSubmissionOf(right));
      const refusal = client.contracts.verify(wrong.address, clientSubmissionOf(wrong));
      await expect(refusal).rejects.toThrow(VerificationError);
      await expect(refusal).rejects.toMatchObject({
        reason: expect.stringContaining("in the address of library PointMath"),
      });
      expect((await client.contracts.code(wrong.address)).contract_name).toBe(wrong.name);
    },
  );

  test("while a compiler works, other requests are answered; what takes too long is stopped", async () => {
    const [source] = sources();
    if (source === undefined) throw new Error("the devnet has no sources");
    const impatient = createVerifier({ timeout: 3_000 });
    const mock = createExplorer({ chain: served.explorer.chain, verifier: impatient });
    const other = await serveExplorer(mock);
    onTestFinished(async () => {
      await other.close();
      await impatient.close();
    });
    const explorer = new ExplorerClient({
      baseUrl: other.url,
      apiKey: "any",
      timeout: 300_000,
      retry: 0,
    });
    const submission = { ...clientSubmissionOf(source), contract_name: "A", source: endless };

    let working = true;
    const refusal = explorer.contracts
      .verify(source.address, { ...submission, contract_source: undefined })
      .catch((error: unknown) => error)
      .finally(() => {
        working = false;
      });
    let answered = 0;
    while (working) {
      expect((await explorer.accounts.transactions(source.address)).data).toHaveLength(50);
      if (working) answered++;
    }
    // Each takes milliseconds, and the compiler three seconds of the same processor.
    expect(answered).toBeGreaterThan(5);
    expect(await refusal).toMatchObject({
      code: "SERVER",
      httpStatus: 503,
      retryAfter: 60_000,
      reason: "Compiling took longer than 3000 ms of CPU and was stopped; nothing was recorded",
    });
    const next = { ...submission, contract_source: undefined, source: "contract B {}" };
    await expect(explorer.contracts.verify(source.address, next)).rejects.toMatchObject({
      reason: "The source has no contract A; it has B",
    });
  });

  test("a mebibyte of source is compiled, a larger body is not read", async () => {
    const [source] = sources();
    if (source === undefined) throw new Error("the devnet has no sources");
    const submission = { ...clientSubmissionOf(source), contract_source: undefined };
    const rest = 2 ** 20 - Buffer.byteLength(source.source);
    const full = `${source.source}${"//".padEnd(rest, "x")}`;
    expect(Buffer.byteLength(full)).toBe(2 ** 20);
    const { verify_level } = await client.contracts.verify(source.address, {
      ...submission,
      source: full,
    });
    expect(verify_level).toBe("partial");
    const tooMuch = client.contracts.verify(source.address, {
      ...submission,
      source: " ".repeat(1.2 * 2 ** 20),
    });
    await expect(tooMuch).rejects.toMatchObject({ httpStatus: 413 });
  });
});
