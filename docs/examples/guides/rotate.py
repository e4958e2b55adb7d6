# Replaces the signing secret of an endpoint; the answer alone shows the new one.
import json
import os
from urllib.request import Request, urlopen

API, KEY, ENDPOINT = (os.environ[name] for name in ("API", "KEY", "ENDPOINT"))

request = Request(f"{API}/webhooks/{ENDPOINT}/roll-secret", method="POST", headers={"authorization": f"Bearer {KEY}"})
with urlopen(request, timeout=60) as answer:
    print(json.load(answer)["data"]["secret"])
