// Memory that long bodies are encoded into. It is lent again and again: providing fresh memory takes the kernel about as long as sending it.

/** Room for a page of 1000, 550 kB, whatever its characters: UTF-8 takes up to three bytes for each unit of a string. */
const size = 2 ** 21;
const bytesPerUnit = 3;

/** Beyond so many responses at the same time, memory is fresh. */
const maxKept = 4;

const kept: Buffer[] = [];

/** A body in memory that is to be given back once the kernel has the bytes, and then is somebody else's. */
export interface LentBody {
  readonly bytes: Uint8Array;
  giveBack(): void;
}

/** Encodes a body into lent memory; undefined for one that might not fit. */
export function encodeBody(body: string): LentBody | undefined {
  if (body.length * bytesPerUnit > size) return undefined;
  const memory = kept.pop() ?? Buffer.allocUnsafeSlow(size);
  return {
    bytes: memory.subarray(0, memory.write(body)),
    giveBack() {
      if (kept.length < maxKept) kept.push(memory);
    },
  };
}
