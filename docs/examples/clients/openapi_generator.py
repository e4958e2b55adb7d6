"""One story by OpenAPI Generator's client for Python: list, a page, a refusal, an unknown id, a webhook endpoint."""

import datetime
import json
import os

import connections
from connections.exceptions import ApiException

configuration = connections.Configuration(host=os.environ["API"], access_token=os.environ["API_KEY"])
client = connections.ApiClient(configuration)
connection = os.environ["CONNECTION"]


def refusal(call):
    try:
        call()
    except ApiException as error:
        return [error.status, json.loads(error.body)["error"]["code"]]
    raise AssertionError("it was not refused")


tax = connections.TaxAuthorityApi(client)
listed = connections.ConnectionsApi(client).list_connections()
page = tax.list_tax_rcv_documents(connection, limit=5, offset=5)
refused = refusal(
    lambda: tax.list_tax_rcv_documents(
        connection, var_from=datetime.date(2026, 10, 2), to=datetime.date(2026, 10, 1)
    )
)
unknown = refusal(lambda: connections.ConnectionsApi(client).get_connection(os.environ["UNKNOWN"]))
body = connections.CreateWebhookRequest(url=os.environ["HOOK"], event_types=["sync.failed"])
webhook = connections.WebhooksApi(client).create_webhook(body)

print(
    json.dumps(
        {
            "name": listed.data[0].name,
            "rows": len(page.data),
            "total": page.pagination.total,
            "refused": refused,
            "unknown": unknown,
            "secret": webhook.data.secret[:6],
        }
    )
)
