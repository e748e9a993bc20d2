// The code of lists, watching and batches that is loaded when one of them is first used: one file, so that it is loaded once.
export { createLoader, streamBalances } from "./balance-batches.ts";
export { collectRecords, readPage, readPages, splitList } from "./read-pages.ts";
export { watchAccount, watchLogs } from "./watch.ts";
