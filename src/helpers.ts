// The exports of `mrc-explorer` that need no schema. A separate entry of the build, so that its
// files do not load zod.
export { limits } from "./contract/lists.ts";
export * from "./errors/index.ts";
export { formatTokenAmount, sameAddress, topicsOf } from "./resources/display.ts";
export { recordKey } from "./resources/record-key.ts";
