// Every decision on what the specification leaves open, as data: R rows for the client, S rows for the mock server.

import { clientDecisions } from "./client-decisions.ts";
import type { Decision } from "./decision.ts";
import { serviceDecisions } from "./service-decisions.ts";

export type { Decision, Origin } from "./decision.ts";

/**
 * Every decision. The client relies on none of the S rows and works with servers that decide them differently.
 */
export const decisions: readonly Decision[] = [...clientDecisions, ...serviceDecisions];
