// What happened in a simulated world, line by line, and the promises that were broken: the same for the same seed, byte for byte.
import { HOUR, MINUTE, type VirtualTime } from "./virtual-time.ts";

/** A line, which may still be continued. */
export interface Line {
  text: string;
}

const two = (value: number): string => `${Math.floor(value)}`.padStart(2, "0");

export class WorldLog {
  readonly lines: Line[] = [];
  /** The promises that were broken, with the moment. */
  readonly problems: string[] = [];
  readonly #time: VirtualTime;

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  /** Adds a line: who did what, now. */
  note(who: string, what: string): Line {
    const short = what.replace(/0x(\w{4})\w{12,}(\w{4})/g, "0x$1…$2");
    const line = { text: `${this.#moment()}  ${who.padEnd(12)} ${short}` };
    this.lines.push(line);
    return line;
  }

  /** A promise is broken. */
  problem(text: string): void {
    this.note("PROBLEM", text);
    this.problems.push(`${this.#moment()}  ${text}`);
  }

  #moment(): string {
    const { now } = this.#time;
    const hours = now / HOUR;
    const seconds = (now % MINUTE) / 1000;
    return `day ${1 + Math.floor(hours / 24)} ${two(hours % 24)}:${two((now / MINUTE) % 60)}:${seconds.toFixed(3).padStart(6, "0")}`;
  }
}
