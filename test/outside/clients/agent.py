"""An agent's application in Python: given the bare address alone, it finds, registers, asks, redeems, and calls a tool.

Says `authorize <address>` on one line and reads the address at which the person's browser went on; then the answer as JSON.
"""

import asyncio
import json
import sys
from urllib.parse import parse_qs, urlsplit

from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

CALLBACK = "http://127.0.0.1:33419/callback"


class Memory:
    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client_info):
        self.client = client_info


async def opened(address: str) -> None:
    print(f"authorize {address}", flush=True)


async def answered() -> AuthorizationCodeResult:
    line = await asyncio.to_thread(sys.stdin.readline)
    said = parse_qs(urlsplit(line.strip()).query)
    return AuthorizationCodeResult(code=said["code"][0], state=said["state"][0], iss=said["iss"][0])


async def main(address: str, mode: str) -> None:
    metadata = OAuthClientMetadata(
        client_name="Python agent",
        redirect_uris=[CALLBACK],
        grant_types=["authorization_code", "refresh_token"],
        response_types=["code"],
        token_endpoint_auth_method="none",
    )
    provider = OAuthClientProvider(
        server_url=address,
        client_metadata=metadata,
        storage=Memory(),
        redirect_handler=opened,
        callback_handler=answered,
    )
    async with create_mcp_http_client(auth=provider) as http:
        async with Client(streamable_http_client(address, http_client=http), mode=mode) as client:
            tools = await client.list_tools()
            result = await client.call_tool("whoami", {})
            answer = {"tools": [tool.name for tool in tools.tools], "whoami": result.structured_content}
            print(f"answer {json.dumps(answer)}", flush=True)


asyncio.run(main(sys.argv[1], sys.argv[2]))
