// The call data of a transaction: decoded by the ABI of a verified contract, and as it is.
import { isExplorerError } from "../../../src/errors/index.ts";
import type { Address, Hex } from "../../../src/models/primitives.ts";
import { bytes } from "../format/numbers.ts";
import { Arguments } from "../parts/arguments.tsx";
import { Code } from "../parts/code.tsx";
import { Loaded } from "../parts/failure.tsx";
import { Copy } from "../parts/text.tsx";
import { useLoad } from "../parts/use-load.ts";
import { explorer } from "../service/explorer.ts";

function Decoded({ contract, input }: { contract: Address; input: Hex }) {
  const loading = useLoad(
    async (signal) => {
      try {
        const abi = await explorer.contracts.abi(contract, { signal });
        const { decodeCall } = await import("../decode.ts");
        return { isVerified: true, decoded: decodeCall(abi, input) };
      } catch (error) {
        if (isExplorerError(error, "NOT_VERIFIED")) return { isVerified: false };
        throw error;
      }
    },
    [contract],
  );
  return (
    <Loaded of={loading} what="Could not decode the input">
      {({ isVerified, decoded }) =>
        decoded ? (
          <Arguments decoded={decoded} />
        ) : (
          isVerified && <p class="quiet">No function of the contract's ABI fits this input.</p>
        )
      }
    </Loaded>
  );
}

export function Input({ input, contract }: { input: Hex; contract: Address | null }) {
  const size = (input.length - 2) / 2;
  if (size === 0) return <p class="empty">No input: a plain transfer.</p>;
  return (
    <>
      {contract && size >= 4 && <Decoded contract={contract} input={input} />}
      <p class="quiet">
        {bytes(size)} <Copy text={input} label="Copy the input" />
      </p>
      <Code wrap label="Input">
        {input.slice(0, 20_000)}
        {input.length > 20_000 && "…"}
      </Code>
    </>
  );
}
