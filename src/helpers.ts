// Everything of `mrc-explorer` that needs no schema: an entry of the build alone, so that it gets
// files of its own, without zod.
export { limits } from "./contract/lists.ts";
export * from "./errors/index.ts";
export { formatTokenAmount, sameAddress, topicsOf } from "./resources/display.ts";
export { recordKey } from "./resources/record-key.ts";
