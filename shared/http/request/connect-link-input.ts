/** Judges the body of a new connect link: which fields its kind needs, and which it does not take. */

import type * as z from 'zod';
import { CONNECT_LINK_LIMITS } from '#shared/connect-links/limits.ts';
import type { ConnectLink } from '#shared/connect-links/link.rules.ts';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { judgeConnectionInput } from '#shared/http/request/connection-input.ts';
import { invalidBody } from '#shared/http/response/errors.ts';
import type { NewConnectLink } from '#shared/http/views/connect-link-body.ts';
import type { SourceManifest } from '#shared/sources/source.ts';
import { storedMetadata } from '#shared/values/own-metadata.ts';

type LinkBody = z.infer<typeof NewConnectLink>;
type Body = { [F in keyof LinkBody]: Exclude<LinkBody[F], null> };
type Asked = Pick<
  ConnectLink,
  'source' | 'enabledScopes' | 'name' | 'metadata' | 'connectionId' | 'connectionsMax' | 'expiresAt'
>;

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Fields that a kind needs, and those that it may have. The fields of every kind are not listed. */
const FIELDS: Readonly<Record<Body['kind'], { needs: readonly (keyof Body)[]; takes: readonly (keyof Body)[] }>> = {
  single: { needs: ['external_source_code', 'enabled_scopes'], takes: ['name', 'metadata'] },
  repair: { needs: ['connection_id'], takes: [] },
  standing: {
    needs: ['external_source_code', 'enabled_scopes', 'connections_max', 'expires_at'],
    takes: ['name', 'metadata'],
  },
};
const OF_SOME: readonly (keyof Body)[] = [
  ...(['external_source_code', 'enabled_scopes', 'name', 'metadata', 'connection_id'] as const),
  ...(['connections_max', 'expires_at'] as const),
];

const refuseOtherFields = (body: Body): void => {
  const { needs, takes } = FIELDS[body.kind];
  const missing = needs.find((field) => body[field] === undefined);
  if (missing !== undefined) throw invalidBody(`${missing} is required for a link of kind ${body.kind}`);
  const unwanted = OF_SOME.find((field) => body[field] !== undefined && ![...needs, ...takes].includes(field));
  if (unwanted !== undefined) throw invalidBody(`${unwanted} does not belong to a link of kind ${body.kind}`);
};

const expiryOf = (body: Body, nowMs: number): string => {
  if (body.expires_at === undefined) return new Date(nowMs + CONNECT_LINK_LIMITS.linkHours * HOUR_MS).toISOString();
  const atMs = Date.parse(body.expires_at);
  if (atMs <= nowMs) throw invalidBody('expires_at must be in the future');
  if (atMs > nowMs + CONNECT_LINK_LIMITS.standingDaysMax * DAY_MS)
    throw invalidBody('expires_at must be at most one year ahead');
  return new Date(atMs).toISOString();
};

/**
 * Returns what the link asks for.
 *
 * @param about the connection to repair, or otherwise the source that the body names
 * @throws ApiError 422
 */
export const judgeConnectLink = (
  sent: LinkBody,
  about: { repaired: Connection } | { manifest: () => SourceManifest },
  nowMs: number,
): Asked => {
  const body = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null)) as Body;
  refuseOtherFields(body);
  const expiresAt = expiryOf(body, nowMs);
  if ('repaired' in about) {
    const { repaired } = about;
    return {
      ...{ source: repaired.source, enabledScopes: [], name: repaired.name, metadata: {} },
      ...{ connectionId: repaired.id, connectionsMax: null, expiresAt },
    };
  }
  const manifest = about.manifest();
  const { enabledScopes = [], metadata = {} } = judgeConnectionInput(manifest, body);
  if (body.kind === 'standing' && metadata.reference !== undefined)
    throw invalidBody('metadata.reference of a standing link comes with the signed address');
  return {
    ...{ source: manifest.code, enabledScopes, name: body.name ?? manifest.name, metadata: storedMetadata(metadata) },
    ...{ connectionId: null, connectionsMax: body.connections_max ?? null, expiresAt },
  };
};
