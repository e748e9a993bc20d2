// The stories of an account, one for each state of the explorer.
import { coins } from "mrc-explorer/mocks/browser";
import { alice, mock } from "./storybook-preview.mts"; // your project: "../.storybook/preview"

export default { title: "Account", args: { explorer: mock.baseUrl, account: alice } };

export const Balance = {};

export const Rich = {
  beforeEach() {
    mock.builder.fund(alice, coins(1_000_000));
  },
};

export const Busy = {
  beforeEach() {
    mock.faults.add({ fault: "status", status: 503 });
  },
};
