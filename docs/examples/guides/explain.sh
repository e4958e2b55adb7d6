#!/bin/sh
# Tells how each scope of a run ended, and a refused request by its code.
set -eu
key="authorization: Bearer $KEY"

curl -fsS "$API/connections/$CONNECTION/sync-runs/$RUN" -H "$key" | jq -r '.data.scope_outcomes[]
  | "\(.scope) \(.status) \(.error_code // "-")", (.notices[] | "notice \(.code)")'

# No -f: the body of a refusal is what is wanted. --retry repeats 429 and 5xx, and waits as Retry-After says.
curl -sS --retry 3 "$API/connections/00000000-0000-4000-8000-000000000000" -H "$key" |
  jq -r '"refused \(.error.code)"'
