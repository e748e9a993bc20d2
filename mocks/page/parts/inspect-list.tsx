// A list of `/inspect` on a card, like the lists of the API.
import type { AnySchema } from "../../../src/contract/index.ts";
import type { Decoded } from "../../../src/models/model.ts";
import { inspectPages } from "../service/inspect-pages.ts";
import { List, type ListProps } from "./list.tsx";

interface InspectListProps<S extends AnySchema, Item> extends Omit<ListProps<Item>, "open"> {
  readonly path: string;
  readonly schema: S;
  readonly rowsOf: (answer: Decoded<S>) => readonly Item[];
  readonly countOf?: (answer: Decoded<S>) => number;
  readonly isWhole?: boolean;
}

export function InspectList<S extends AnySchema, Item extends object>({
  path,
  schema,
  rowsOf,
  countOf,
  isWhole,
  ...list
}: InspectListProps<S, Item>) {
  return (
    <List
      {...list}
      open={(limit) => inspectPages({ path, schema, rowsOf, countOf, isWhole }, limit)}
    />
  );
}
