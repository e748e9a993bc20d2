#!/usr/bin/env bash
# Runs the quick tests of the client, the double and the command line on another Node: `scripts/test-on-node.sh 22.12.0`. npm's
# scripts run on the Node of package-lock.json, so this starts vitest itself.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --no-save --no-audit --no-fund --loglevel=error --prefix "$folder" "node@$1"
# undici 8, which these import, needs Node 22.19.
mapfile -t files < <(find test/{client,http,lists,models,errors,resources,double,cli} -name "*.test.ts" \
  ! -path test/http/fetch.test.ts ! -path test/client/interceptors.test.ts)
# Some tests start programs: those of other packages on this Node too, and the sources, whose types older Nodes strip only when asked.
export PATH="$folder/node_modules/.bin:$PATH"
export NODE_OPTIONS="--experimental-strip-types --disable-warning=ExperimentalWarning"
# How often properties draw says nothing of a Node.
PROPERTY_RUNS=0.05 node node_modules/vitest/vitest.mjs run --mode quick --project unit \
  "${files[@]}" test/client.test.ts test/settings.test.ts test/tanstack.test.ts
