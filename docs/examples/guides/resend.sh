#!/bin/sh
# Sends every failed delivery of an endpoint again.
set -eu
key="authorization: Bearer $KEY"
deliveries="$API/webhooks/$ENDPOINT/deliveries"

for id in $(curl -fsS "$deliveries?limit=200" -H "$key" | jq -r '.data[] | select(.status == "failed") | .id'); do
  curl -fsS -X POST "$deliveries/$id/resend" -H "$key" > /dev/null
  echo "resent $id"
done
