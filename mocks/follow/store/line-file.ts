// A file of lines that grows at its end. A line counts when its newline is written.
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { withChecksum } from "../../ingest/checksum.ts";

export interface StoredLine {
  /** The line without its newline. */
  readonly text: string;
  /** Offset in bytes at which the next line begins. */
  readonly end: number;
}

/** Windows has no `O_NOFOLLOW`. */
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants;
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
    // Follows no symbolic link, because another program's link could name any file of the user.
    const handle = await open(path, O_RDWR | O_APPEND | O_CREAT | (O_NOFOLLOW ?? 0));
    return new LineFile(handle, (await handle.stat()).size);
  }

  /** Length of all lines in bytes. */
  get length(): number {
    return this.#length;
  }

  async *lines(): AsyncGenerator<StoredLine, void, undefined> {
    let unfinished = Buffer.alloc(0);
    let at = 0;
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
        yield { text: bytes.toString("utf8", start, newline), end: at + newline + 1 };
        start = newline + 1;
      }
      if (bytesRead === 0) return;
      at += start;
      unfinished = bytes.subarray(start);
    }
  }

  /** Appends the JSON of objects, with checksums. Resolves with the end of each line once all lines are on the disk. */
  async append(lines: readonly string[]): Promise<number[]> {
    // Skips the slow `datasync`.
    if (lines.length === 0) return [];
    const bytes = lines.map((line) => Buffer.from(`${withChecksum(line)}\n`));
    let end = this.#length;
    const ends = bytes.map((line) => {
      end += line.length;
      return end;
    });
    await this.#handle.appendFile(Buffer.concat(bytes));
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
