// A list of `/inspect` on a card, like the lists of the API.
import type { ViewName } from "../../inspect/views.ts";
import { type InspectedList, inspectPages } from "../service/inspect-pages.ts";
import { List, type ListProps } from "./list.tsx";

type InspectListProps<Name extends ViewName, Item> = Omit<ListProps<Item>, "open"> &
  InspectedList<Name, Item>;

export function InspectList<Name extends ViewName, Item extends object>({
  view,
  parameters,
  rowsOf,
  countOf,
  isWhole,
  ...list
}: InspectListProps<Name, Item>) {
  const open = (limit: number) =>
    inspectPages({ view, parameters, rowsOf, countOf, isWhole }, limit);
  return <List {...list} open={open} />;
}
