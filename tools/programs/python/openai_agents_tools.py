"""openai-agents: makes its function tools strict, and invokes one."""

import json

from agents import Agent
from agents.mcp import MCPServerStreamableHttp
from agents.mcp.util import MCPUtil
from agents.run_context import RunContextWrapper
from agents.tool_context import ToolContext

from story import ADDRESS, ARGUMENTS, HEADERS, TOOL, answer, run


async def main() -> None:
    async with MCPServerStreamableHttp(params={"url": ADDRESS, "headers": HEADERS}) as server:
        context = RunContextWrapper(context=None)
        tools = await MCPUtil.get_function_tools(server, True, context, Agent(name="program", mcp_servers=[server]))
        lax = [tool.name for tool in tools if not tool.strict_json_schema]
        # Without arguments, only `additionalProperties: false` would be strict, which google-genai cannot convert.
        if lax != ["whoami"]:
            raise SystemExit(f"not strict: {lax}")
        [tool] = [each for each in tools if each.name == TOOL]
        arguments = json.dumps(ARGUMENTS)
        invoked = ToolContext(context=None, tool_name=TOOL, tool_call_id="1", tool_arguments=arguments)
        answer([each.name for each in tools], await tool.on_invoke_tool(invoked, arguments))


run(main)
