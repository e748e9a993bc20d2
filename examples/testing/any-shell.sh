#!/bin/sh
# Tests in a shell: `sh any-shell.sh`. Needs curl.
set -eu
npx mrc-explorer serve --port 0 >ready.txt &
trap 'kill $!; rm -f ready.txt' EXIT
until url=$(grep -o 'http://[^ ]*' ready.txt); do sleep 0.1; done

head=$(curl -fsS "$url/health" | grep -o '"head":"[0-9]*"' | grep -o '[0-9]*')
curl -fsS -H 'api-key: any' "$url/v1/blocks/$head" | grep '"status":"200"'
curl -sS -o /dev/null -w '%{http_code}\n' "$url/v1/blocks/$head" | grep 401
echo "the explorer answered, and rejected the request without a key"
