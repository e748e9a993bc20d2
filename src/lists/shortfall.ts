// A list that ends before its count: reported, or an error.
import { ListError } from "../errors/index.ts";
import type { ListSource, Shortfall } from "./page.ts";

/** A shortfall, and what it means. */
export interface FoundShortfall extends Shortfall {
  /** False where the count may be that of a longer list than the caller asks for. */
  readonly isCertain: boolean;
}

/** Calls `onShortfall`; without it, a certain shortfall throws a {@link ListError}. */
export function reportShortfall(
  { iteration, operation }: ListSource<unknown>,
  { isCertain, ...shortfall }: FoundShortfall,
): void {
  iteration.onShortfall?.(shortfall);
  if (iteration.onShortfall || !isCertain) return;
  const { promised, received } = shortfall;
  throw new ListError(
    "SHORTFALL",
    `The server sends ${received} records, although its \`count\` promises ${promised}`,
    {
      operation: operation.id,
      operationName: operation.name,
      lines: ["Try a smaller `limit`, or pass `onShortfall` if the count means something else."],
    },
  );
}
