// When a fault is used up, and which a transport cannot express.
import { expect, test } from "vitest";
import { type FaultMatch, inexpressibleReason, isUsedUp } from "../../mocks/faults/fault.ts";

test.each<[FaultMatch, matched: number, applied: number, boolean]>([
  [{}, 9, 9, false],
  [{ once: true }, 5, 0, false],
  [{ once: true }, 5, 1, true],
  [{ once: false }, 5, 5, false],
  [{ times: 2 }, 5, 1, false],
  [{ times: 2 }, 2, 2, true],
  [{ once: true, times: 2 }, 1, 1, false],
  [{ nth: 3 }, 2, 0, false],
  [{ nth: 3 }, 3, 1, true],
  [{ nth: 3 }, 3, 0, true],
  [{ nth: [4, 2] }, 3, 1, false],
  [{ nth: [4, 2] }, 4, 2, true],
])(
  "%j is used up after %d requests of which it applied %d: %s",
  (fault, matched, applied, isOff) => {
    expect(isUsedUp(fault, { matched, applied })).toBe(isOff);
  },
);

test("a status up to 599 goes through every transport, one beyond through a port only", () => {
  for (const transport of ["fetch", "msw", "worker", "http"] as const) {
    expect(inexpressibleReason({ fault: "status", status: 599 }, transport)).toBeUndefined();
    expect(inexpressibleReason({ fault: "html" }, transport)).toBeUndefined();
    const reason = inexpressibleReason({ fault: "html", status: 600 }, transport);
    if (transport === "http") expect(reason).toBeUndefined();
    else expect(reason).toContain(`status of the fault html: expected 200 to 599, `);
  }
});
