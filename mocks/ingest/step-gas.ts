// The gas of a frame that had no steps, derived from the cost of its instruction: of a call to an account without code, or to a part of the EVM.
import type { Step } from "./struct-logs.ts";

/** What a call adds to the gas of the called contract if it sends coins. */
const STIPEND = 2300;
/** The price of a call to an account that is known already, and what it costs more to send coins. */
const WARM_CALL = 100;
const CALL_WITH_VALUE = 9000;
const CREATION = 32_000;
const LAST_PRECOMPILE = 0x1ffn;
/** At most what the memory of a contract's code costs. */
const MEMORY = 10_000;

/** The gas that the frame of `step` was given, and what it used; `after` is the next step of the frame that made it. */
export function gasOf(step: Step, after: Step): { limit: number; used: number } {
  const { op } = step;
  const isCreation = op === "CREATE" || op === "CREATE2";
  const sends = (op === "CALL" || op === "CALLCODE") && step.word(2) !== 0n;
  const stipend = sends ? STIPEND : 0;
  const asked = isCreation ? step.gas : Number(step.word(0));
  // What is passed on is at most all but a 64th of what the instruction itself leaves.
  const passedAt = (price: number) => {
    const left = step.gas - price;
    return Math.min(asked, left - Math.floor(left / 64));
  };
  const spent = step.gas - after.gas + stipend;
  const price = isCreation
    ? creationPrice(step, spent)
    : callPrice(step, spent, asked, sends, passedAt);
  return { limit: passedAt(price) + stipend, used: spent - price };
}

/** The price of a call itself; most nodes count what is passed on as part of it. */
function callPrice(
  step: Step,
  spent: number,
  asked: number,
  sends: boolean,
  passedAt: (price: number) => number,
): number {
  const { gasCost } = step;
  const known = WARM_CALL + (sends ? CALL_WITH_VALUE : 0);
  const isPrice = (price: number) =>
    price >= 0 && price <= spent && price + passedAt(price) === gasCost;
  const priced = [spent, known, gasCost - asked].find(isPrice);
  if (priced !== undefined) return priced;
  // Only what is part of the EVM uses gas without a step.
  return step.word(1) <= LAST_PRECOMPILE && known < spent ? known : spent;
}

/** The price of a creation itself, which leaves out what its code would have used. */
function creationPrice(step: Step, spent: number): number {
  const words = Math.ceil(Number(step.word(2)) / 32);
  const least = CREATION + words * (step.op === "CREATE2" ? 2 + 6 : 2);
  if (spent <= least + MEMORY) return spent;
  return step.gasCost >= least && step.gasCost < spent ? step.gasCost : least;
}
