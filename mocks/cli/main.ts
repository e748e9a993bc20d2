#!/usr/bin/env node
// The executable `mrc-explorer`: turns on Node's compile cache, and then loads the program.
import module from "node:module";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

// Makes the program start faster: https://nodejs.org/api/module.html#module-compile-cache. Uses a
// folder of the user, because other users may write to Node's default, a temporary folder.
const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
const caches = [XDG_CACHE_HOME, LOCALAPPDATA].find((path) => path && isAbsolute(path));
module.enableCompileCache?.(join(caches ?? join(homedir(), ".cache"), "mrc-explorer"));
await import("./start.ts");
