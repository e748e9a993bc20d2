// One run of the command line: from the words to the exit code.
import pc from "picocolors";
import { failureOf } from "./failure.ts";
import type { ProcessIO } from "./process-io.ts";
import { createProgram } from "./program.ts";

export async function run(words: readonly string[], around: ProcessIO): Promise<number> {
  try {
    await createProgram(around).parseAsync(words, { from: "user" });
    return 0;
  } catch (error) {
    const { code, message } = failureOf(error, around.signal);
    if (message !== undefined) {
      const { red } = pc.createColors(around.stderr.isTTY === true && pc.isColorSupported);
      around.stderr.write(`${red("error:")} ${message}\n`);
    }
    return code;
  }
}
