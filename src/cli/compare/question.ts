// A question to an explorer: the request, and the judge of its answer.
import type { AnyOperation } from "../../contract/index.ts";
import type { AskedRequest, ExplorerResponse } from "./ask.ts";
import type { Judgements } from "./judge.ts";

/** A question and its judge. */
export interface Question {
  /** The number of the operation. */
  readonly id: string;
  /** The question without any value of the chain: `limit=1`. */
  readonly asked: string;
  readonly message: AskedRequest;
  readonly judge: (answer: ExplorerResponse) => Judgements;
  /** What this answer is compared with, asked again before a difference counts: new blocks arrive meanwhile. */
  readonly reference?: Question | undefined;
}

/** Something that could not be asked: the explorer has nothing to ask about. */
export interface Unasked {
  readonly id: string;
  readonly reason: string;
}

export const question = (
  { id }: AnyOperation,
  asked: string,
  message: AskedRequest,
  judge: Question["judge"],
  reference?: Question,
): Question => ({ id, asked, message, judge, reference });
