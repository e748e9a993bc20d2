// Storybook 8.3 or later, `.storybook/preview.ts`: an explorer that answers all stories.
import { buildChain, coins, createExplorer, setupExplorerWorker } from "mrc-explorer/mocks/browser";

const builder = buildChain();
export const alice = builder.account({ name: "alice", balance: coins(10) });
export const mock = createExplorer({ baseUrl: "https://explorer.example", chain: builder });

const { start } = setupExplorerWorker(mock);

export default {
  beforeAll: () => start(),
  beforeEach: () => mock.reset(),
};
