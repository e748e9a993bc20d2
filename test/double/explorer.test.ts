// The options of a mock explorer: a mistake is named when it is made, not by a puzzling response.
import { expect, test } from "vitest";
import { createExplorer } from "../../mocks/double/explorer.ts";

test.each([
  [{ chian: undefined }, 'no option chian; did you mean "chain"?'],
  [{ upstream: "https://a.example" }, "no option upstream"],
  [
    { baseUrl: "localhost:3000" },
    'baseUrl: expected an https:// or http:// URL, received "localhost:3000"',
  ],
  [{ chain: Promise.resolve() }, "chain: expected a chain, received a Promise: await it"],
])("createExplorer(%o) is a mistake", (options, message) => {
  expect(() => createExplorer(options as never)).toThrow(
    new TypeError(`createExplorer: ${message}`),
  );
});
