// The examples of docstrings have the right types.
import { afterAll, expect, test } from "vitest";
import { typeErrors } from "./program.ts";
import { closeScope, createScope } from "./scope.ts";
import { examples } from "./snippets.ts";

afterAll(closeScope);

test("every example has the right types", async () => {
  expect(typeErrors(examples(), Object.keys(await createScope()))).toEqual([]);
});
