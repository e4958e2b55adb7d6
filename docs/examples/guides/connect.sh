#!/bin/sh
# Connects a login of the simulated tax authority, starts a sync and waits for its end.
set -eu
json='content-type: application/json'
person="cookie: sb-access-token=$SESSION"
key="authorization: Bearer $KEY"

connection=$(curl -fsS "$API/connections" -H "$person" -H "$json" -d '{
  "external_source_code": "tax", "name": "Guide", "enabled_scopes": ["rcv"],
  "credentials": {"rut": "'"$RUT"'", "password": "clave-de-prueba"}, "metadata": {}
}' | jq -r .id)

run=$(curl -fsS "$API/connections/$connection/sync" -H "$key" -H "$json" \
  -H "Idempotency-Key: first-$connection" -d '{}' | jq -r .sync_id)

until curl -fsS "$API/connections/$connection/sync-runs/$run" -H "$key" |
  jq -er '.data | select(.finished_at != null) | "\(.connection_id) \(.id) \(.status)"'; do sleep 1; done
