/** A connection as the API returns it. */
import * as z from 'zod';
import { listAttention, loginSharedCode } from '#shared/connections/attention.rules.ts';
import { type Connection as ConnectionRecord, nextFiring } from '#shared/connections/connection.rules.ts';
import { CONNECTION_LIMITS } from '#shared/connections/limits.ts';
import { FREQUENCIES_MINUTES } from '#shared/connections/schedule.rules.ts';
import type { SourceManifest } from '#shared/sources/source.ts';
import { instant, period, uuid } from '#shared/values/fields.ts';
import type { ConnectionId } from '#shared/values/ids.ts';
import { NOTICES } from '#shared/values/notice-catalogue.ts';
import { createdBy, toAuthorView } from './author.ts';
import { ScopeDescriptor, toScopeDescriptors } from './scope-descriptor.ts';

const LOGIN_SHARED = NOTICES.login_shared;

export const Connection = z
  .object({
    id: uuid(),
    organization_id: uuid(),
    external_source_code: z.string().meta({ examples: ['tax'] }),
    external_source_name: z.string().meta({ examples: ['Servicio de Impuestos Internos'] }),
    name: z.string().meta({ examples: ['Mi empresa'] }),
    status: z
      .enum(['pending', 'active', 'error', 'disabled'])
      .describe(
        'pending: no sync has ended yet; error: only the owner can fix it, e.g. with new credentials; disabled: not synchronized.',
      )
      .meta({ examples: ['active'] }),
    enabled_scopes: z.array(z.string()).meta({ examples: [['rcv']] }),
    scopes: z.array(ScopeDescriptor).describe('The enabled scopes, with the URL of their data.'),
    metadata: z.record(z.string(), z.unknown()).meta({ examples: [{}] }),
    sync_schedule_enabled: z.boolean(),
    sync_frequency_minutes: z
      .int()
      .nullable()
      .describe('Minutes between scheduled syncs. Null if never set.')
      .meta({ enum: [...FREQUENCIES_MINUTES, null], examples: [1440] }),
    next_scheduled_sync_at: instant().nullable().describe('Null while the schedule or the connection is disabled.'),
    last_successful_sync_at: instant().nullable().describe('End of the latest run that ended `succeeded`.'),
    last_sync_status: z
      .string()
      .nullable()
      .describe(
        'Status of the latest finished run: `succeeded`, `partial`, `failed` or `cancelled`; null before the first.',
      )
      .meta({ examples: ['succeeded'] }),
    created_by: createdBy(),
    last_complete_period: period()
      .optional()
      .describe(
        'The last month (YYYY-MM, America/Santiago) that is over and complete in every enabled scope that is read by month, as GET /coverage reports it: `state` complete, `verdict` not differs, no provisional rows. Absent if there is none, while a sync is queued or running, and after a change of the scopes until the next sync.',
      )
      .meta({ examples: ['2026-10'] }),
    attention: z
      .array(z.string())
      .optional()
      .describe(
        'What the owner must do, as codes: of `x-sync-error-codes` such as source.password_expired, connection.error if the cause was not stored, connection.approval_pending while the institution waits for an approval on the phone, or the notice `<source>.login_shared` if another connection reads the same company with the same login. Empty if nothing.',
      )
      .meta({ examples: [[]] }),
  })
  .meta({ id: 'Connection' });

/** A connection as its creation returns it. */
export const CreatedConnection = Connection.extend({
  warnings: z
    .array(
      z.object({
        code: z
          .string()
          .describe('A code of `x-notice-codes`.')
          .meta({ examples: ['tax.login_shared'] }),
        message: z.string().meta({ examples: [LOGIN_SHARED.en] }),
        connection_ids: z
          .array(uuid())
          .describe(`The other connections, at most ${CONNECTION_LIMITS.loginSharersMax}.`),
      }),
    )
    .optional()
    .describe(
      'Present if the connection was created although something about it is unusual: another connection reads the same company with the same login.',
    ),
}).meta({ id: 'CreatedConnection' });

export const toCreatedConnection = (
  connection: z.infer<typeof Connection>,
  sharers: readonly ConnectionId[],
): z.infer<typeof CreatedConnection> => {
  if (sharers.length === 0) return connection;
  const code = loginSharedCode(connection.external_source_code);
  const message = `${LOGIN_SHARED.en} ${LOGIN_SHARED.todo}`;
  return { ...connection, warnings: [{ code, message, connection_ids: [...sharers] }] };
};

/** An open run may rewrite the month. */
const toLastComplete = ({ openRuns, lastCompletePeriod }: ConnectionRecord): { last_complete_period?: string } =>
  openRuns.length > 0 || lastCompletePeriod === undefined ? {} : { last_complete_period: lastCompletePeriod };

export const toConnection = (
  connection: ConnectionRecord,
  manifest: SourceManifest,
  { nowMs, isLoginShared }: { nowMs: number; isLoginShared: boolean },
): z.infer<typeof Connection> => ({
  id: connection.id,
  organization_id: connection.organizationId,
  external_source_code: connection.source,
  external_source_name: manifest.name,
  name: connection.name,
  status: connection.status,
  enabled_scopes: connection.enabledScopes,
  scopes: toScopeDescriptors(manifest, connection.enabledScopes, connection.id),
  metadata: connection.metadata,
  sync_schedule_enabled: connection.schedule.enabled,
  sync_frequency_minutes: connection.schedule.frequencyMinutes,
  next_scheduled_sync_at: nextFiring(connection.status, connection.schedule, nowMs),
  last_successful_sync_at: connection.lastSuccessfulSyncAt,
  last_sync_status: connection.lastSyncStatus,
  ...toLastComplete(connection),
  attention: listAttention(connection, { nowMs, isLoginShared }),
  created_by: connection.createdBy ? toAuthorView(connection.createdBy) : null,
});
