// `mrc-explorer serve`: the reference service on a port, until it is told to stop.
import type { Command } from "commander";
import type { Surroundings } from "./surroundings.ts";
export function addServe(_program: Command, _around: Surroundings): void {}
