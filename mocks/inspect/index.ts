// `/inspect` as an API: who answers each of its views.
import type { Api, HandlerTable } from "../api.ts";
import type { LiveChain } from "../chain/live-chain.ts";
import type { ChainWriter } from "../chain/writer.ts";
import * as details from "./details.ts";
import { headView } from "./head.ts";
import { headReads } from "./head-reads.ts";
import * as lists from "./lists.ts";
import { type AnswerWireOf, type ViewName, type Views, views } from "./views.ts";

/** What views need besides the chain. */
export interface InspectServices {
  readonly live: LiveChain | undefined;
  /** The answer of `access`, which is of the port. */
  readonly access: () => AnswerWireOf<"access">;
}

/** Every answer is made without a pause, so that it is of one state, whatever happens to the chain between two of them. */
const handlers: HandlerTable<Views, ChainWriter, InspectServices> = {
  access: (_, __, { access }) => access(),
  head: (chain, _, { live }) => headView(chain, live),
  ...lists,
  ...details,
};

/** `/inspect`. */
export const inspection: Api<ViewName, ChainWriter, InspectServices> = {
  operations: views,
  handlers,
  headReads,
  unknownParameters: "refused",
  maxValues: 0,
  // People wait for it, and then see what is known.
  patienceMs: 2000,
};
