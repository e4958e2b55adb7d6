#!/bin/sh
# Reads again every month that a run brought, whole: rows that are gone at the source are gone in it.
set -eu
key="authorization: Bearer $KEY"
run=$(curl -fsS "$API/connections/$CONNECTION/sync-runs/$RUN" -H "$key")

for period in $(echo "$run" | jq -r '.data.scope_outcomes[] | select(.scope == "rcv") | .periods | sort | .[]'); do
  offset=0
  rows=$(mktemp)
  while
    page=$(curl -fsS "$API/connections/$CONNECTION/tax-rcv-documents?period=$period&limit=50&offset=$offset" -H "$key")
    echo "$page" | jq -c '.data[]' >> "$rows"
    [ "$(echo "$page" | jq .pagination.has_more)" = true ]
  do offset=$((offset + 50)); done
  # Here: replace what you keep of this connection and month by the rows, by their `id`.
  echo "$period $(jq -r .id "$rows" | sort -u | wc -l | tr -d ' ')"
  rm "$rows"
done
