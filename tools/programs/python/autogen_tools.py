"""AutoGen: makes tools with a Pydantic model of their arguments, and runs one."""

from autogen_core import CancellationToken
from autogen_ext.tools.mcp import StreamableHttpServerParams, mcp_server_tools

from story import ADDRESS, ARGUMENTS, HEADERS, TOOL, answer, run


async def main() -> None:
    tools = await mcp_server_tools(StreamableHttpServerParams(url=ADDRESS, headers=HEADERS))
    names = [tool.schema["name"] for tool in tools]
    [tool] = [each for each in tools if each.name == TOOL]
    result = await tool.run_json(ARGUMENTS, CancellationToken())
    answer(names, tool.return_value_as_string(result))


run(main)
