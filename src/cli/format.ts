// The option --format of all commands that print records, and the writer it chooses.
import { Option } from "commander";
import { type Format, formats, type Layout, type Writer, writer } from "./output.ts";
import { type ProcessIO, terminalOf } from "./process-io.ts";

export const formatOption = (): Option =>
  new Option(
    "--format <format>",
    "output format (default: table on a terminal, json otherwise)",
  ).choices(formats);

/** The writer to standard output. */
export const stdoutWriter = (format: Format | undefined, io: ProcessIO, layout: Layout): Writer =>
  writer(format ?? (io.stdout.isTTY ? "table" : "json"), terminalOf(io), layout);
