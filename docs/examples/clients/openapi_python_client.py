"""One story by openapi-python-client: list, a page, a refusal, an unknown id, a webhook endpoint."""

import datetime
import json
import os
import uuid

from data_connections_api_client import AuthenticatedClient
from data_connections_api_client.api.connections import get_connection, list_connections
from data_connections_api_client.api.tax_authority import list_tax_rcv_documents
from data_connections_api_client.api.webhooks import create_webhook
from data_connections_api_client.models import CreateWebhookRequest, ErrorResponse, EventType

client = AuthenticatedClient(base_url=os.environ["API"], token=os.environ["API_KEY"])
connection = uuid.UUID(os.environ["CONNECTION"])


def code_of(answer):
    assert isinstance(answer.parsed, ErrorResponse)
    return [answer.status_code.value, str(answer.parsed.error.code)]


connections = list_connections.sync(client=client)
page = list_tax_rcv_documents.sync(connection, client=client, limit=5, offset=5)
refused = list_tax_rcv_documents.sync_detailed(
    connection, client=client, from_=datetime.date(2026, 10, 2), to=datetime.date(2026, 10, 1)
)
unknown = get_connection.sync_detailed(uuid.UUID(os.environ["UNKNOWN"]), client=client)
body = CreateWebhookRequest(url=os.environ["HOOK"], event_types=[EventType.SYNC_FAILED])
webhook = create_webhook.sync(client=client, body=body)

print(
    json.dumps(
        {
            "name": connections.data[0].name,
            "rows": len(page.data),
            "total": page.pagination.total,
            "refused": code_of(refused),
            "unknown": code_of(unknown),
            "secret": webhook.data.secret[:6],
        }
    )
)
