/** Builds rows and documents for agents: projected, cleaned, and limited to the size of an answer. */
import type * as z from 'zod';
import { MCP_LIMITS } from '#shared/mcp/limits.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { type AgentScope, invalid } from './agent-scopes.ts';
import { countBytes } from './fit.rules.ts';
import { project, untrustedFields } from './projection.rules.ts';

export interface ShownFields {
  fields: readonly string[];
  /** The untrusted fields among `fields`. */
  untrusted: string[];
}

export const fieldsShown = ({ listRow }: AgentScope, fields: readonly string[]): ShownFields => ({
  fields,
  untrusted: untrustedFields(listRow, fields),
});

/**
 * Returns the requested columns in the scope's order, always including `id`. Errors list the known columns.
 *
 * @throws ApiError
 */
export const columnsShown = (scope: AgentScope, asked: readonly string[] | undefined): ShownFields => {
  const { columns } = scope.agent;
  const unknown = (asked ?? []).some((field) => !columns.includes(field));
  if (unknown) throw invalid(`fields of ${scope.name} are ${columns.join(', ')}`);
  return fieldsShown(
    scope,
    columns.filter((field) => field === 'id' || asked === undefined || asked.includes(field)),
  );
};

/** Returns all fields of a document except the source's own record. */
export const documentShown = (schema: z.ZodObject): ShownFields => {
  const fields = Object.keys(schema.shape).filter((field) => field !== 'raw_row');
  return { fields, untrusted: untrustedFields(schema, fields) };
};

/** Bytes of an answer that a row must leave free for other parts. */
const ENVELOPE_BYTES = 1_024;

/**
 * Returns the row for the answer. If the row does not fit, its texts are shortened; if that is not enough, only its id
 * is shown. Texts of an institution may have any length.
 */
export const shownRow = (
  row: Row,
  { fields, untrusted }: ShownFields,
  bytesMax = MCP_LIMITS.agentAnswerBytesMax - ENVELOPE_BYTES,
): Row => {
  for (const charsMax of [MCP_LIMITS.agentTextCharsMax, MCP_LIMITS.agentShortTextCharsMax]) {
    const shown = project(row, fields, untrusted, charsMax);
    if (countBytes(shown) <= bytesMax) return shown;
  }
  return { id: row.id, too_long: true };
};
