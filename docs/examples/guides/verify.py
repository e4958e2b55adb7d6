# Verifies a delivery: its three headers and the secret in variables, the raw body on standard input.
import base64
import hashlib
import hmac
import json
import os
import sys
import time


def verify(body, webhook_id, timestamp, signatures, secret):
    """Raises unless the delivery is genuine. body: the bytes as they came, before anything parses them."""
    if abs(time.time() - int(timestamp)) > 300:
        raise ValueError("too old or too new")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, f"{webhook_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    if not any(hmac.compare_digest(given.encode(), expected.encode()) for given in signatures.split(" ")):
        raise ValueError("no signature fits")


names = ("WEBHOOK_ID", "WEBHOOK_TIMESTAMP", "WEBHOOK_SIGNATURE", "SECRET")
body = sys.stdin.buffer.read()
try:
    verify(body, *(os.environ[name] for name in names))
    print("verified", json.loads(body)["type"])
except ValueError as refusal:
    print(f"refused: {refusal}")
    sys.exit(1)
