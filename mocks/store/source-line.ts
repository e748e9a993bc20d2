// A verified contract as a line of `sources.ndjson`, with the verdict and the code it was given for.
import type { ContractVerification } from "../chain/records.ts";

export const sourceLine = ({
  contractName,
  optimizationEnabled,
  libraries,
  ...others
}: ContractVerification): string =>
  JSON.stringify({
    ...others,
    name: contractName,
    optimizer: optimizationEnabled,
    libraries: Object.fromEntries(libraries.map(({ name, address }) => [name, address])),
  });
