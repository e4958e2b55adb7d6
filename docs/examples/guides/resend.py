# Sends every failed delivery of an endpoint again.
import json
import os
from urllib.request import Request, urlopen

API, KEY, ENDPOINT = (os.environ[name] for name in ("API", "KEY", "ENDPOINT"))


def call(method, path):
    url = f"{API}/webhooks/{ENDPOINT}/deliveries{path}"
    request = Request(url, method=method, headers={"authorization": f"Bearer {KEY}"})
    with urlopen(request, timeout=60) as answer:
        return json.load(answer)


for delivery in call("GET", "?limit=200")["data"]:
    if delivery["status"] == "failed":
        call("POST", f"/{delivery['id']}/resend")
        print("resent", delivery["id"])
