import * as z from 'zod';
import { countPeriods } from '#shared/http/lists/read-rows.ts';
import { connectionId, findScope, scopeName } from '#shared/mcp/agent-scopes.ts';
import { buildQuestion, findStart, fittingPage } from '#shared/mcp/pages.ts';
import { cursor, defineTool, nextCursor } from '#shared/mcp/tool.ts';
import { period } from '#shared/values/fields.ts';

export const listPeriods = defineTool({
  name: 'list_periods',
  title: 'List months',
  description: 'Months of a scope that hold rows, newest first, each with its exact number of rows.',
  input: z.strictObject({ connection_id: connectionId(), scope: scopeName(), cursor: cursor() }),
  output: z.strictObject({
    periods: z.array(z.strictObject({ period: period(), rows: z.int() })),
    total: z.int(),
    next_cursor: nextCursor(),
  }),
  run: async (call, agent) => {
    const { connection, scope } = await findScope(agent, call);
    const question = buildQuestion(agent, 'list_periods', connection.id, scope.name);
    const offset = findStart(call.cursor, question);
    const all = await countPeriods(scope, { caller: agent, params: { id: connection.id } });
    return fittingPage({ items: all.slice(offset), offset, total: all.length }, question, (periods, next_cursor) => ({
      periods: [...periods],
      total: all.length,
      next_cursor,
    }));
  },
});
