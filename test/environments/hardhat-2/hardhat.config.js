// Hardhat 2 with the demo chain's accounts and rules; REPLAY mines only on demand, FORK is the node to fork.
const { mnemonic, count, ...network } = require("../network.json");
const { REPLAY, FORK } = process.env;

module.exports = {
  solidity: "0.8.28",
  networks: {
    hardhat: {
      ...network,
      accounts: { mnemonic, count },
      mining: { auto: REPLAY === undefined, mempool: { order: "fifo" } },
      ...(FORK === undefined ? {} : { forking: { url: FORK } }),
    },
  },
};
