#!/bin/sh
# Tests in a shell: `sh any-shell.sh`. Needs curl.
set -eu
export EXPLORER_ADMIN_TOKEN="${EXPLORER_ADMIN_TOKEN:-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')}"
npx mrc-explorer serve --port 0 --admin >ready.txt &
trap 'kill $!; rm -f ready.txt' EXIT
until url=$(grep -o 'http://[^ ]*' ready.txt); do sleep 0.1; done
admin() { curl -sS -H "admin-token: $EXPLORER_ADMIN_TOKEN" -H 'content-type: application/json' "$url/admin/$1" -d "$2"; }

head=$(curl -fsS "$url/health" | grep -o '"head":"[0-9]*"' | grep -o '[0-9]*')
curl -fsS -H 'api-key: any' "$url/v1/blocks/$head" | grep '"status":"200"'
curl -sS -o /dev/null -w '%{http_code}\n' "$url/v1/blocks/$head" | grep 401
echo "the explorer answered, and rejected the request without a key"

admin faults '{"preset":"503 twice"}' | grep '"applied":0'
curl -sS -o /dev/null -w '%{http_code}\n' -H 'api-key: any' "$url/v1/blocks/$head" | grep 503
admin expect '{"operation":"blocks.get","parameters":{"block_number":'"$head"'}}' | grep '"entries"'
admin requests/count '{"operation":"accounts.balance"}' | grep '"count":0'
echo "the next requests failed as asked, and the journal has them"
