#!/usr/bin/env bash
# Tests the client, the mock explorer and the queries of the command line on another Node: `scripts/test-on-node.sh 22.12.0`.
# npm's scripts run on the Node of package-lock.json, so this starts vitest itself.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --no-save --no-audit --no-fund --loglevel=error --prefix "$folder" "node@$1"
# Tests start programs, which must run on this Node, too; older Nodes strip types only when asked.
export PATH="$folder/node_modules/.bin:$PATH"
export NODE_OPTIONS="--experimental-strip-types --disable-warning=ExperimentalWarning"
# undici 8, which one test imports, needs Node 22.19.
mapfile -t files < <(find test/{client,http,lists,models,errors,resources,chain,builder,operations,service,faults,journal} \
  -name "*.test.ts" ! -name "*.long.test.ts" ! -name "*.nightly.test.ts" ! -path test/http/fetch.test.ts)
PROPERTY_RUNS=0.05 node node_modules/vitest/vitest.mjs run --project=node \
  "${files[@]}" test/client.test.ts test/settings.test.ts test/tanstack.test.ts
