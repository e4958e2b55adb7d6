/** A changed row as the API returns it. Every field is always present, null if it does not apply. */
import * as z from 'zod';
import { parseInstant } from '#shared/platform/ids.ts';
import type { RowChange } from '#shared/rows/read/read-round.store.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { instant, period, uuid } from '#shared/values/fields.ts';

/** Scopes whose lists are below a connection. */
const LISTED: readonly ScopeDefinition[] = SCOPES.filter(({ resource }) => resource !== null);

type Names = [string, ...string[]];
export const CHANGED_SCOPES = [...new Set(LISTED.map(({ name }) => name))].sort() as Names;

const fieldsOf = ({ listRow }: ScopeDefinition): number => Object.keys(listRow.shape).length;

/**
 * Schemas of list rows, sorted by number of fields, largest first. A list row has all fields of its own schema, so it
 * never fits a schema with more fields, and the first matching schema is its own.
 */
const LIST_ROWS = LISTED.toSorted((a, b) => fieldsOf(b) - fieldsOf(a)).map(({ listRow }) => listRow) as [
  z.ZodObject,
  ...z.ZodObject[],
];

export const ChangeView = z
  .object({
    change: z
      .enum(['created', 'updated', 'deleted'])
      .describe('Treat `created` and `updated` alike: a row that is new to the service may already be in your copy.'),
    scope: z.enum(CHANGED_SCOPES),
    id: uuid().describe('Id of the row, as in its list.'),
    sequence: z.int().min(1).describe('Never decreases from one answer to the next, within a scope.'),
    period: period()
      .nullable()
      .describe('Month (YYYY-MM) of the row. For a balance, the month in which it was observed.'),
    row: z.union(LIST_ROWS).nullable().describe("The row as the scope's list shows it. Null if deleted."),
    key: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('For a deleted row: the listed fields that identify the row at its source.'),
    sync_run_id: uuid().nullable().describe('The run that changed or removed the row. Null if a repair removed it.'),
    changed_at: instant().nullable().describe('When that run was started. For a deleted row, when it was removed.'),
  })
  .meta({ id: 'Change' });

export const Feed = z
  .object({
    next_cursor: z.string().describe('Cursor for the next request. Store it together with your copy.'),
    has_more: z.boolean().describe('False if nothing more was stored at the time of the request.'),
  })
  .meta({ id: 'Feed' });

export const toChange = ({ runId, removedAt, ...change }: RowChange): z.infer<typeof ChangeView> => ({
  ...change,
  sync_run_id: runId,
  changed_at: removedAt ?? (runId === null ? null : parseInstant(runId)),
});
