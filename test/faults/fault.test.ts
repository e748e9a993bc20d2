// When a fault is used up.
import { expect, test } from "vitest";
import { type FaultMatch, isUsedUp } from "../../mocks/faults/fault.ts";

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
