// A pool of buffers for long bodies: allocating fresh memory takes the kernel about as long as sending it.

/** Room for a page of 1000, 550 kB, whatever its characters: UTF-8 takes up to three bytes for each unit of a string. */
const size = 2 ** 21;
const bytesPerUnit = 3;

/** Idle buffers to keep; more responses at once get fresh ones. */
const maxIdle = 4;

const idle: Buffer[] = [];

/** A body in a buffer of the pool. */
export interface PooledBody {
  readonly bytes: Uint8Array;
  /** Returns the buffer to the pool; call it once the kernel has the bytes. */
  release(): void;
}

/** Encodes a body into a buffer of the pool; undefined for one that might not fit. */
export function encodeBody(body: string): PooledBody | undefined {
  if (body.length * bytesPerUnit > size) return undefined;
  const buffer = idle.pop() ?? Buffer.allocUnsafeSlow(size);
  return {
    bytes: buffer.subarray(0, buffer.write(body)),
    release() {
      if (idle.length < maxIdle) idle.push(buffer);
    },
  };
}
