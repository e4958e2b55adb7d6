# Signs a reference of a standing link and prints the address for one customer, valid for a day.
import hashlib
import hmac
import os
import time
from urllib.parse import quote

url, link_id, secret, reference = (os.environ[name] for name in ("LINK_URL", "LINK_ID", "LINK_SECRET", "REFERENCE"))
expires = int(time.time()) + 86_400
signature = hmac.new(secret.encode(), f"{link_id}.{reference}.{expires}".encode(), hashlib.sha256).hexdigest()
print(f"{url}&reference={quote(reference, safe='')}&expires={expires}&signature={signature}")
