/** Generates the tables of `/docs/limits` from the limits of the code. */
import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import { AUTH_LIMITS } from '#shared/auth/limits.ts';
import { CONNECT_LINK_LIMITS } from '#shared/connect-links/limits.ts';
import { CONNECTION_LIMITS } from '#shared/connections/limits.ts';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import { MCP_LIMITS } from '#shared/mcp/limits.ts';
import { PLATFORM_LIMITS } from '#shared/platform/limits.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { TENDER_LIMITS } from '#shared/tenders/limits.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';

type Limit = readonly [what: string, most: string, beyond: string];

const KIB = 1024;
const MINUTE = 'a minute and organization';
const RATE = '429 `rate_limited`';
const READS_OF_ORGANIZATION = HTTP_LIMITS.readsPerMinute * HTTP_LIMITS.readsOfOrganizationTimes;

const many = (count: number): string => count.toLocaleString('en-US');
const kib = (bytes: number): string => `${many(bytes / KIB)} KiB`;
const seconds = (ms: number): string => `${many(ms / 1_000)} s`;

const GROUPS: Readonly<Record<string, readonly Limit[]>> = {
  'Each minute': [
    ['starts of syncs', `${many(SYNC_LIMITS.syncStartsPerMinute)} ${MINUTE}`, RATE],
    ['reads (GET) of a key or an application', `${many(HTTP_LIMITS.readsPerMinute)} a minute`, RATE],
    ['reads of all keys and applications', `${many(READS_OF_ORGANIZATION)} ${MINUTE}`, RATE],
    ['reads of a person', `${many(HTTP_LIMITS.readsPerMinute * HTTP_LIMITS.readsOfPersonTimes)} a minute`, RATE],
    ['reads of all persons', `${many(READS_OF_ORGANIZATION * HTTP_LIMITS.readsOfPersonTimes)} ${MINUTE}`, RATE],
    ['test deliveries of webhooks', `${many(WEBHOOK_LIMITS.webhookTestsPerMinute)} ${MINUTE}`, RATE],
    ['calls of tools by agents', `${many(MCP_LIMITS.agentCallsPerMinute)} a minute and permission`, RATE],
    ['calls of tools by all agents', `${many(MCP_LIMITS.agentCallsPerOrganizationAndMinute)} ${MINUTE}`, RATE],
    ['questions for consent', `${many(AGENT_LIMITS.consentsPerMinute)} a minute and person`, RATE],
    [
      'refreshes of access tokens',
      `${many(AGENT_LIMITS.refreshesPerMinute)} a minute and permission`,
      'an OAuth error',
    ],
  ],
  'Each organization': [
    ['connections', many(CONNECTION_LIMITS.connectionsPerOrganizationMax), '422 `validation_error`'],
    ['API keys, with revoked ones', many(AUTH_LIMITS.apiKeysPerOrganizationMax), '422 `validation_error`'],
    ['webhook endpoints', many(WEBHOOK_LIMITS.webhookEndpointsMax), '409 `webhook_limit_reached`'],
    ['open connect links', many(CONNECT_LINK_LIMITS.openLinksPerOrganizationMax), '409 `connect_link_limit_reached`'],
    ['permissions of applications', many(AGENT_LIMITS.grantsPerOrganizationMax), '409 `grant_limit_reached`'],
  ],
  'Each request': [
    ['body', kib(HTTP_LIMITS.bodyBytesMax), '413 `payload_too_large`'],
    ['names', `${many(HTTP_LIMITS.nameCharsMax)} characters`, '422 `validation_error`'],
    ['`metadata` of a sync', kib(HTTP_LIMITS.syncMetadataBytesMax), '422 `sync_invalid_metadata`'],
    ['`Idempotency-Key`', `${many(HTTP_LIMITS.idempotencyKeyCharsMax)} characters`, '400 `validation_error`'],
    ['memory of an `Idempotency-Key`', `${many(HTTP_LIMITS.idempotencyHours)} hours`, 'the request runs again'],
    ['cursor of a feed', `${many(HTTP_LIMITS.cursorCharsMax)} characters`, '400 `validation_error`'],
    ['tenders that `q` searches', many(TENDER_LIMITS.tendersSearchedMax), '400 `validation_error`'],
  ],
  Syncs: [
    ['unfinished runs', `${many(SYNC_LIMITS.openRunsPerConnectionMax)} a connection`, RATE],
    ['attempts', `${many(SYNC_LIMITS.scopeAttemptsMax)} a scope and run`, 'the scope ends with the last code'],
    ['time', `${many(SYNC_LIMITS.scopeMinutesMax)} minutes a scope and run`, 'the scope ends with the last code'],
    ['tenders', `${many(SYNC_LIMITS.tendersPerRunMax)} a run`, 'the notice `truncated`'],
  ],
  'Connect links': [
    [
      'life of a link',
      `${many(CONNECT_LINK_LIMITS.linkHours)} hours, a standing one ${many(CONNECT_LINK_LIMITS.standingDaysMax)} days`,
      '410 `connect_link_ended`',
    ],
    [
      'life of a signed address',
      `${many(CONNECT_LINK_LIMITS.signedReferenceDaysMax)} days`,
      '410 `connect_link_ended`',
    ],
    ['connections of a standing link', many(CONNECT_LINK_LIMITS.connectionsPerLinkMax), '422 `validation_error`'],
    ['times that a customer sends credentials', many(CONNECT_LINK_LIMITS.submissionsMax), '410 `connect_link_ended`'],
    [
      'session of a customer',
      `${seconds(CONNECT_LINK_LIMITS.sessionMs)} after its last request, ${seconds(CONNECT_LINK_LIMITS.sessionTotalMs)} in all`,
      '410 `connect_link_ended`',
    ],
    ['`return_url`', `${many(CONNECT_LINK_LIMITS.returnUrlCharsMax)} characters`, '422 `validation_error`'],
  ],
  Webhooks: [
    ['attempts', `${many(WEBHOOK_LIMITS.webhookAttemptsMax)} a delivery`, 'the delivery is `failed`'],
    ['time to connect', seconds(WEBHOOK_LIMITS.webhookConnectMs), 'the attempt failed'],
    ['time to answer', seconds(WEBHOOK_LIMITS.webhookAttemptMs), 'the attempt failed'],
    ['attempts at a time', `${many(WEBHOOK_LIMITS.webhookInFlightPerEndpointMax)} an endpoint`, 'others wait'],
    ['failed deliveries in a row', many(WEBHOOK_LIMITS.webhookFailuresInRowMax), 'the endpoint is disabled'],
    ['listed deliveries', many(WEBHOOK_LIMITS.deliveriesListedMax), 'older ones are not listed'],
    ['URL', `${many(WEBHOOK_LIMITS.webhookUrlCharsMax)} characters`, '422 `validation_error`'],
    ['memory of a delivery', `${many(PLATFORM_LIMITS.retentionDays)} days`, 'it is gone'],
  ],
};

/** Returns the tables in Markdown. */
export const limitTables = (): string =>
  Object.entries(GROUPS)
    .map(([group, limits]) =>
      [
        `## ${group}`,
        '',
        '| What | At most | Beyond |',
        '| --- | --- | --- |',
        ...limits.map((cells) => `| ${cells.join(' | ')} |`),
      ].join('\n'),
    )
    .join('\n\n');
