// What is said when the data a chain is filled from is wrong: where it stands, what was expected, what came.

/** Where in the data: each part as far as it is known. */
export interface InputLocation {
  readonly file?: string | undefined;
  /** From 1. */
  readonly line?: number | undefined;
  readonly block?: number | undefined;
  /** Inside the record, such as `receipts[3].status`. */
  readonly field?: string | undefined;
}

function described({ file, line, block, field }: InputLocation): string {
  const parts = [
    file,
    line === undefined ? undefined : `line ${line}`,
    block === undefined ? undefined : `block ${block}`,
    field,
  ];
  return parts.filter((part) => part !== undefined).join(", ");
}

/** Data that cannot be a chain: nothing of it was loaded. */
export class IngestError extends Error {
  override readonly name = "IngestError";
  readonly place: InputLocation;
  /** What is wrong, without the place. */
  readonly reason: string;

  constructor(reason: string, place: InputLocation = {}, cause?: unknown) {
    const where = described(place);
    super(where === "" ? reason : `${where}: ${reason}`, cause === undefined ? {} : { cause });
    this.reason = reason;
    this.place = place;
  }

  /** The same error, with what only the caller knows of the place. */
  at(place: InputLocation): IngestError {
    return new IngestError(this.reason, { ...place, ...this.place }, this.cause);
  }
}

/** Runs `read`, adding the place to an error about the data that comes out of it. */
export function placed<T>(place: () => InputLocation, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof IngestError ? error.at(place()) : error;
  }
}
