// What the methods of list operations take and give.
import type { OperationResults, Operations } from "../contract/index.ts";
import type { ListId } from "../lists/list-records.ts";
import type { ItemOf, ListInput, PagedRequest } from "../lists/paged-request.ts";

/** What a list method takes besides what it is about: the parameters of its operation, and how to iterate. */
export type Query<Id extends ListId, Given extends string> = Omit<ListInput<Operations[Id]>, Given>;

/** What a list method gives: a page when awaited, the records when iterated. */
export type List<Id extends ListId> = PagedRequest<
  ItemOf<Operations[Id]>,
  OperationResults<Operations[Id]>
>;
