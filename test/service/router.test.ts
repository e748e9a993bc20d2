// A request whose path no operation has: which one is suggested, and when nothing is near.
import { expect, test } from "vitest";
import { Router } from "../../mocks/service/router.ts";
import { operations } from "../../src/contract/index.ts";

const router = new Router(operations);
const account = `0x${"ab".repeat(20)}`;

test.each([
  [`/v1/account/${account}/transaction`, `; did you mean A2, GET ${operations.A2.path}?`],
  [`/v1/zzz/${account}/qqqqqqqqqqqqq`, ""],
  [`/${"x".repeat(20)}`, ""],
  [`/v1${operations.B1.path.replace("{block_number}", "7")}`, "; paths begin with /v1 once"],
])("GET %s ends with %j", (path, hint) => {
  const message = `no operation at GET ${path}${hint}`;
  const find = () => router.find("GET", path);
  expect(find).toThrow(expect.objectContaining({ status: 404 }));
  if (hint === "") expect(find).toThrow(new RegExp(`${message}$`));
  else expect(find).toThrow(message);
});
