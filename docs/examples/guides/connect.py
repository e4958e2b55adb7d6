# Connects a login of the simulated tax authority, starts a sync and waits for its end.
import json
import os
import time
from urllib.request import Request, urlopen

API, KEY, SESSION, RUT = (os.environ[name] for name in ("API", "KEY", "SESSION", "RUT"))


def call(path, headers, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = Request(API + path, data, {**headers, "content-type": "application/json"})
    with urlopen(request, timeout=60) as answer:
        return json.load(answer)


key = {"authorization": f"Bearer {KEY}"}
connection = call(
    "/connections",
    {"cookie": f"sb-access-token={SESSION}"},
    {
        "external_source_code": "tax",
        "name": "Guide",
        "enabled_scopes": ["rcv"],
        "credentials": {"rut": RUT, "password": "clave-de-prueba"},
        "metadata": {},
    },
)["id"]
started = call(f"/connections/{connection}/sync", {**key, "idempotency-key": f"first-{connection}"}, {})

while True:
    run = call(f"/connections/{connection}/sync-runs/{started['sync_id']}", key)["data"]
    if run["finished_at"] is not None:
        print(run["connection_id"], run["id"], run["status"])
        break
    time.sleep(1)
