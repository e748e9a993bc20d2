// Builds the package where npm packs it or installs it from git. `npm ci` in a clone runs this too, but needs no build.
import { execSync } from "node:child_process";

if (process.env.npm_command !== "ci") execSync("npm run build", { stdio: "inherit" });
