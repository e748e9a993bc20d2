// Postman's collection: a request for each operation, which the mock explorer answers once its variables are filled in.
import { expect, test } from "vitest";
import { createExplorer } from "../../../mocks/index.ts";
import { postmanOf } from "../../../mocks/page/code/postman.ts";
import { operationsInOrder } from "../../../src/contract/descriptions.ts";

test("has a request for each operation, at its path", async () => {
  const mock = createExplorer();
  const { auth, item } = postmanOf(mock.baseUrl);
  const requests = item.flatMap((folder) => folder.item);
  expect(requests).toHaveLength(operationsInOrder.length);
  const [header] = auth.apikey;
  for (const { request } of requests) {
    const url = request.url.raw
      .replace("{{baseUrl}}", mock.baseUrl)
      .replaceAll(/:(\w+)/g, (whole, name: string) =>
        request.url.variable.some(({ key }) => key === name) ? "1" : whole,
      );
    await mock.fetch(url, {
      method: request.method,
      headers: { [header?.value ?? ""]: "any", "content-type": "application/json" },
      ...(request.body && { body: request.body.raw }),
    });
  }
  // Each reached its operation, whatever that says of these values.
  expect(mock.journal.entries.map(({ operation }) => operation)).toEqual(
    operationsInOrder.map(({ id }) => id),
  );
});

test("optional parameters are off", () => {
  const [list] = postmanOf("").item.flatMap(({ item }) =>
    item.filter(({ name }) => name === "A2 accounts.transactions"),
  );
  const { query = [], variable = [] } = list?.request.url ?? {};
  expect(query.every(({ disabled }) => disabled === true)).toBe(true);
  expect(variable).toMatchObject([{ key: "address_hash", value: "" }]);
});
