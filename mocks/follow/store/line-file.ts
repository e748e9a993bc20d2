// A file of lines that grows at its end. A line counts when its newline is written.
import { constants, type FileHandle, open } from "node:fs/promises";

/** A line, without its newline. */
export interface StoredLine {
  readonly bytes: Buffer;
  /** Where the next line begins. */
  readonly end: number;
}

const NEWLINE = 10;
const CHUNK = 1 << 20;

export class LineFile {
  readonly #handle: FileHandle;
  #length: number;

  private constructor(handle: FileHandle, length: number) {
    this.#handle = handle;
    this.#length = length;
  }

  static async open(path: string): Promise<LineFile> {
    // "a+" would write to the end even after a failed write left half a line there, and "w+" would
    // empty it.
    const handle = await open(path, constants.O_RDWR | constants.O_CREAT);
    return new LineFile(handle, (await handle.stat()).size);
  }

  /** The bytes of its lines. */
  get length(): number {
    return this.#length;
  }

  /** Yields the lines from a position on. The bytes are valid until the next line. */
  async *lines(from = 0): AsyncGenerator<StoredLine, void, undefined> {
    let unfinished = Buffer.alloc(0);
    let at = from;
    for (;;) {
      const chunk = Buffer.allocUnsafe(Math.max(CHUNK, unfinished.length));
      const { bytesRead } = await this.#handle.read(chunk, 0, chunk.length, at + unfinished.length);
      const bytes = Buffer.concat([unfinished, chunk.subarray(0, bytesRead)]);
      let start = 0;
      for (
        let newline = bytes.indexOf(NEWLINE, unfinished.length);
        newline !== -1;
        newline = bytes.indexOf(NEWLINE, start)
      ) {
        yield { bytes: bytes.subarray(start, newline), end: at + newline + 1 };
        start = newline + 1;
      }
      if (bytesRead === 0) return;
      at += start;
      unfinished = bytes.subarray(start);
    }
  }

  /** Appends lines; they are on the disk when it resolves. Returns where each ends. */
  async append(lines: readonly string[]): Promise<number[]> {
    // Nothing to force to the disk.
    if (lines.length === 0) return [];
    const bytes = lines.map((line) => Buffer.from(`${line}\n`));
    let end = this.#length;
    const ends = bytes.map((line) => {
      end += line.length;
      return end;
    });
    let at = this.#length;
    for (let unwritten = Buffer.concat(bytes); unwritten.length > 0; ) {
      const { bytesWritten } = await this.#handle.write(unwritten, 0, unwritten.length, at);
      at += bytesWritten;
      unwritten = unwritten.subarray(bytesWritten);
    }
    await this.#handle.datasync();
    this.#length = end;
    return ends;
  }

  /** Keeps the first `length` bytes. */
  async cut(length: number): Promise<void> {
    if (length === this.#length) return;
    await this.#handle.truncate(length);
    await this.#handle.datasync();
    this.#length = length;
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}
