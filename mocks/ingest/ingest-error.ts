// The error for invalid chain data: where it is, what was expected, what was received.

/** A location in the data, as far as it is known. */
export interface InputLocation {
  readonly file?: string | undefined;
  /** From 1. */
  readonly line?: number | undefined;
  readonly block?: number | undefined;
  /** Inside the record, such as `receipts[3].status`. */
  readonly field?: string | undefined;
}

function describeLocation({ file, line, block, field }: InputLocation): string {
  const parts = [
    file,
    line === undefined ? undefined : `line ${line}`,
    block === undefined ? undefined : `block ${block}`,
    field,
  ];
  return parts.filter((part) => part !== undefined).join(", ");
}

/** Thrown for invalid chain data. Nothing of it is loaded. */
export class IngestError extends Error {
  override readonly name = "IngestError";
  readonly location: InputLocation;
  /** The message without the location. */
  readonly reason: string;

  constructor(reason: string, location: InputLocation = {}, cause?: unknown) {
    const where = describeLocation(location);
    super(where === "" ? reason : `${where}: ${reason}`, cause === undefined ? {} : { cause });
    this.reason = reason;
    this.location = location;
  }

  /** The same error, with more of its location. */
  at(location: InputLocation): IngestError {
    return new IngestError(this.reason, { ...location, ...this.location }, this.cause);
  }
}

/** Runs `read`, and adds the location to an IngestError it throws. */
export function withLocation<T>(location: () => InputLocation, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof IngestError ? error.at(location()) : error;
  }
}
