// Hardhat 3 with the demo chain's accounts and rules; REPLAY mines only on demand, FORK is the node to fork.
import network from "../network.json" with { type: "json" };

const { mnemonic, count, ...rules } = network;
const { REPLAY, FORK } = process.env;

export default {
  networks: {
    node: {
      ...rules,
      type: "edr-simulated",
      accounts: { mnemonic, count },
      mining: { auto: REPLAY === undefined, mempool: { order: "fifo" } },
      ...(FORK === undefined ? {} : { forking: { url: FORK } }),
    },
  },
};
