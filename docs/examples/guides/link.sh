#!/bin/sh
# Signs a reference of a standing link and prints the address for one customer, valid for a day.
set -eu
expires=$(($(date +%s) + 86400))
signature=$(printf %s "$LINK_ID.$REFERENCE.$expires" | openssl dgst -sha256 -hmac "$LINK_SECRET" -r | cut -d' ' -f1)
encoded=$(jq -rn --arg reference "$REFERENCE" '$reference | @uri')
echo "$LINK_URL&reference=$encoded&expires=$expires&signature=$signature"
