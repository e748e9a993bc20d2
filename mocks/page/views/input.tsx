// The call data of a transaction: decoded by the ABI of a verified contract, and as it is.
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
      const [abi, { decodeCall }] = await Promise.all([
        explorer.contracts.abi(contract, { signal }),
        import("../decode.ts"),
      ]);
      return { decoded: decodeCall(abi, input) };
    },
    [contract],
  );
  return (
    <Loaded of={loading} what="Could not decode the input">
      {({ decoded }) =>
        decoded ? (
          <Arguments decoded={decoded} />
        ) : (
          <p class="quiet">No function of the contract's ABI fits this input.</p>
        )
      }
    </Loaded>
  );
}

export function Input({ input, contract }: { input: Hex; contract: Address | undefined }) {
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
