// `mrc-explorer dump`: writes a node's chain to a folder, which `serve --chain` serves later.
import { type Command, Option } from "commander";
import { nodeUrl } from "../../src/cli/parameters.ts";
import { type ProcessIO, waitForAbort } from "../../src/cli/process-io.ts";
import type { Follower } from "../follow/follow-node.ts";
import { dumpOptions, followOptions, type NodeOptions, showProgress } from "./serve-node.ts";

interface DumpOptions extends NodeOptions {
  readonly rpc: string;
  readonly once?: true;
}

export function addDump(program: Command, io: ProcessIO): void {
  const command = program
    .command("dump")
    .summary("Write a node's chain to a folder")
    .description(
      "Writes a node's chain to a folder, and follows the node until SIGTERM or SIGINT. The next run continues where this one stopped. serve --chain serves the folder without the node; serve --rpc --store serves the node and continues the folder.",
    )
    .argument("<dir>", "the folder; it is created if it does not exist")
    .addOption(new Option("--rpc <url>", "the node").argParser(nodeUrl).makeOptionMandatory())
    .option("--once", "stop when the node's head is reached")
    .action(async (folder: string, options: DumpOptions) => await dump(folder, options, io));
  for (const option of dumpOptions) command.addOption(option);
}

async function dump(folder: string, options: DumpOptions, io: ProcessIO): Promise<void> {
  // Loaded here, so that other commands do not load the mock explorer.
  const { startFollowing, StoreError } = await import("../node.ts");
  let fail = (_: unknown) => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // Otherwise, a failure before the first wait would be an unhandled rejection and end the process.
  failed.catch(() => {});
  const { rpc, once, ...nodeOptions } = options;
  const { onError, ...others } = followOptions({ ...nodeOptions, store: folder }, io);
  const follower = startFollowing(rpc, {
    ...others,
    // A command that cannot write to its folder has nothing left to do.
    onError: (error, ended) =>
      error instanceof StoreError ? fail(error) : onError?.(error, ended),
  });
  const ended = Promise.race([failed, waitForAbort(io.signal)]);
  let isReached = false;
  try {
    const reached = follower.ready.then(() => {
      isReached = true;
    });
    await showProgress(follower, Promise.race([reached, ended]), io);
    if (!once && !io.signal.aborted) io.stdout.write(describe(follower, folder, once));
    if (!once) await ended;
  } finally {
    await showProgress(follower, follower.close(), io);
  }
  // Closing may also have failed.
  await Promise.race([failed, Promise.resolve()]);
  if (!once) return;
  if (isReached) io.stdout.write(describe(follower, folder, once));
  else {
    io.stderr.write(
      "Stopped before the node's head; the next run continues where this one ended\n",
    );
    throw io.signal.reason;
  }
}

function describe(follower: Follower, folder: string, once: true | undefined): string {
  const { head, blocks, transactions } = follower.status();
  const more = once ? "" : "; still following the node, until you stop it";
  return `${folder} has ${blocks} blocks up to ${head}, ${transactions} transactions${more}\n`;
}
