#!/bin/sh
# Replaces the signing secret of an endpoint; the answer alone shows the new one.
set -eu
curl -fsS -X POST "$API/webhooks/$ENDPOINT/roll-secret" -H "authorization: Bearer $KEY" | jq -r .data.secret
