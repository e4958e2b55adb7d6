import * as z from 'zod';
import { readFound } from '#shared/http/lists/read-rows.ts';
import type { ErrorCode } from '#shared/http/response/errors.ts';
import { AGENT_SCOPES, connectionId, findScope, invalid, scopeName } from '#shared/mcp/agent-scopes.ts';
import { documentShown, shownRow } from '#shared/mcp/shown-rows.ts';
import { defineTool, untrusted } from '#shared/mcp/tool.ts';
import { uuid } from '#shared/values/fields.ts';

const WITH_DOCUMENTS = AGENT_SCOPES.filter(({ document }) => document !== null).map(({ name }) => name);

export const getDocument = defineTool({
  name: 'get_document',
  title: 'Get a document',
  description: `One document with all of its fields; scopes ${WITH_DOCUMENTS.join(' and ')}.`,
  input: z.strictObject({
    connection_id: connectionId(),
    scope: scopeName(),
    id: uuid().describe('UUID of a row from search_rows.'),
  }),
  output: z.strictObject({ document: z.record(z.string(), z.unknown()), untrusted_fields: untrusted() }),
  run: async (call, agent) => {
    const { connection, scope } = await findScope(agent, call);
    const { document, fullRow } = scope;
    if (document === null || fullRow === null)
      throw invalid(`scope must be one of ${WITH_DOCUMENTS.join(', ')}: a row of ${scope.name} has no more fields`);
    const input = { caller: agent, params: { id: connection.id } };
    const found = await readFound(scope, input, call.id.toLowerCase(), document.notFound as ErrorCode);
    const shown = documentShown(fullRow);
    return { document: shownRow(found, shown), untrusted_fields: shown.untrusted };
  },
});
