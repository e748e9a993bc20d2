// What the errors of nodes and gateways mean.
import { describe, expect, test } from "vitest";
import { kindOf } from "../../../mocks/follow/rpc/errors.ts";
import { errors } from "./error-table.ts";

describe.each(Object.entries(errors))("%s", (_, lines) => {
  test.each(lines)("%s %s: %s", (code, message, kind) => {
    expect(kindOf({ code, message })).toBe(kind);
  });
});
