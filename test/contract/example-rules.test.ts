/** The service could give the answer of every example; the rules find answers that it could not give. */
import { expect, test } from 'vitest';
import { toExternalSource } from '#shared/http/views/external-source.ts';
import { MANIFESTS } from '#shared/sources/manifests.gen.ts';
import { EVENTS, mediaOf, OPERATIONS, operationOf } from '#test/helpers/description.ts';
import { answerFaults, eventFaults } from '#test/helpers/example-rules.ts';
import { readRecorded } from '#tools/examples/recorded.ts';

// biome-ignore lint/suspicious/noExplicitAny: examples of every schema
type Any = any;

/** A whole description as the example of the description would show nothing. */
const MADE_UP = ['getOpenapi'];

const successOf = ({ responses }: (typeof OPERATIONS)[number]): unknown =>
  Object.entries(responses).flatMap(([status, part]) =>
    Number(status) < 300 ? (mediaOf(part)?.example ?? []) : [],
  )[0];

const answering = OPERATIONS.filter((operation) => successOf(operation) !== undefined);
const exampleOf = (id: string): Any => structuredClone(successOf(operationOf(id)));

test.each(answering.map((operation) => [operation.id, operation] as const))(
  '%s could have been answered',
  (_, each) => {
    expect(answerFaults(each, successOf(each))).toEqual([]);
  },
);

test('each answer was given by a running service: `npm run examples` records those that are missing', () => {
  const recorded = readRecorded();
  const made = answering.filter(({ id }) => !MADE_UP.includes(id));
  expect(made.filter((each) => recorded[each.id] === undefined).map(({ id }) => id)).toEqual([]);
  for (const each of made) expect(successOf(each), each.id).toEqual(recorded[each.id]);
  const known = [...made.map(({ id }) => id), ...Object.keys(EVENTS)];
  expect(Object.keys(recorded).filter((id) => !known.includes(id))).toEqual([]);
});

test.each(Object.entries(EVENTS))('the event %s could have been sent', (type, { requestBody }) => {
  const { example } = mediaOf(requestBody)!;
  expect(eventFaults(example)).toEqual([]);
  expect((example as Any).type).toBe(type);
});

test('the sources of the example are described as they are today: `npm run examples` records them again', () => {
  const { data } = exampleOf('listExternalSources');
  expect(data).toEqual(MANIFESTS.filter(({ type }) => type === 'tax_authority').map(toExternalSource));
});

test('nothing of this machine or of this day is in an example', () => {
  const text = JSON.stringify(readRecorded());
  expect(text).not.toMatch(/127\.0\.0\.1|localhost|X-Amz-Date|X-Amz-Credential/);
});

const IMPOSSIBLE: readonly (readonly [id: string, change: (answer: Any) => void, fault: string])[] = [
  ['createConnection', (answer) => Object.assign(answer, { status: 'active' }), 'a new connection is pending'],
  [
    'createConnection',
    (answer) => Object.assign(answer, { sync_schedule_enabled: true }),
    'a schedule has a frequency',
  ],
  ['createConnection', (answer) => Object.assign(answer, { name: 'Otra' }), 'as it was asked for'],
  ['getConnection', ({ data }) => Object.assign(data, { next_scheduled_sync_at: null }), 'has a next time'],
  ['getConnection', ({ data }) => Object.assign(data, { last_successful_sync_at: null }), 'succeeded last'],
  ['getConnection', ({ data }) => Object.assign(data, { enabled_scopes: ['guias'] }), 'scopes as enabled'],
  ['revokeApiKey', ({ data }) => Object.assign(data, { status: 'active' }), 'it is revoked'],
  ['revokeApiKey', ({ data }) => Object.assign(data, { revoked_at: null }), 'revoked, and since when'],
  ['listGrants', ({ data }) => Object.assign(data[0], { revoked_for: 'reuse' }), 'since when and by whom'],
  ['revokeGrant', ({ data }) => Object.assign(data, { revoked_for: 'application' }), 'a person revoked it'],
  [
    'revokeGrant',
    ({ data }) => Object.assign(data, { expires_at: data.created_at.replace('20', '19') }),
    'then expires',
  ],
  ['reviewAuthorization', ({ data }) => Object.assign(data, { digest: null }), 'asked with a digest'],
  ['reviewAuthorization', ({ data }) => Object.assign(data, { scope: null }), 'where somebody is asked'],
  [
    'decideAuthorization',
    ({ data }) => Object.assign(data, { redirect_to: 'https://agent.example/callback?code=x' }),
    'what was decided',
  ],
  ['createApiKey', ({ data }) => Object.assign(data, { key: 'svc_sk_other' }), 'shown by its beginning'],
  ['createApiKey', ({ data }) => Object.assign(data, { last_used_at: data.created_at }), 'never used'],
  ['listWebhookDeliveries', ({ data }) => Object.assign(data[0], { attempts: 1 }), 'failed after every attempt'],
  [
    'listWebhookDeliveries',
    ({ data }) => Object.assign(data[1], { response_status: 503 }),
    'delivered by an answer 2xx',
  ],
  ['listWebhookDeliveries', ({ data }) => Object.assign(data[1], { last_attempt_at: null }), 'tried, and when'],
  ['resendWebhookDelivery', ({ data }) => Object.assign(data, { status: 'failed' }), 'it is tried again'],
  ['listBankoneBalances', (answer) => delete answer.pagination, 'a paged list describes its page'],
  [
    'listBankoneBalances',
    ({ pagination }) => Object.assign(pagination, { has_more: false }),
    'more where there are more',
  ],
  [
    'listBankoneMovements',
    ({ pagination }) => Object.assign(pagination, { limit: 50 }),
    'contains the rows of its offset',
  ],
  ['listBankoneMovements', ({ data }) => Object.assign(data[0], { direction: 'received' }), 'money out is issued'],
  ['listBanktwoMovements', ({ data }) => Object.assign(data[0], { period: '2026-09' }), 'its day is in its month'],
  ['listTaxBoletas', ({ data }) => Object.assign(data[0], { total_amount: '1' }), 'its amounts add up'],
  ['listTaxBoletaPeriods', ({ data }) => data.push('2026-11'), 'months, newest first'],
  ['getSyncRun', ({ data }) => Object.assign(data, { status: 'partial' }), 'it ends as its scopes ended'],
  ['getSyncRun', ({ data }) => Object.assign(data, { finished_at: null }), 'it has an end when it is over'],
  ['getSyncRun', ({ data }) => Object.assign(data, { started_at: '2027-01-01T00:00:00.000Z' }), 'created, started'],
  ['getSyncRun', ({ data }) => Object.assign(data, { records_found: 1 }), 'it found what its scopes found'],
  ['getSyncRun', ({ data }) => Object.assign(data.scope_outcomes[0], { status: 'running' }), 'no scope is at work'],
  ['getSyncRun', ({ data }) => Object.assign(data.scope_outcomes[0], { error_code: 'x' }), 'ok has no fault'],
  [
    'getSyncRun',
    ({ data }) => Object.assign(data.scope_outcomes[0], { period: '2026-09' }),
    'the newest of its months',
  ],
  ['cancelSyncRun', ({ data }) => Object.assign(data, { status: 'succeeded' }), 'it is cancelled'],
  ['startSync', (answer) => Object.assign(answer, { status: 'running' }), 'it waits for its turn'],
  ['setSchedule', ({ data }) => Object.assign(data, { next_scheduled_sync_at: null }), 'on has a next time'],
  ['listWebhooks', ({ data }) => Object.assign(data[0], { enabled: false }), 'disabled, and since when'],
  ['createWebhook', ({ data }) => Object.assign(data, { last_success_at: data.created_at }), 'got nothing yet'],
];

test.each(IMPOSSIBLE)('%s: found when impossible (%#)', (id, change, fault) => {
  const answer = exampleOf(id);
  change(answer);
  expect(answerFaults(operationOf(id), answer).join('; ')).toContain(fault);
});

test.each([
  ['sync.failed', (event: Any) => Object.assign(event.data.scopeOutcomes[0], { status: 'ok' }), 'as its scopes ended'],
  ['sync.failed', (event: Any) => delete event.data.errorCode, 'a fault unless it succeeded'],
  ['sync.partial', (event: Any) => Object.assign(event, { type: 'sync.failed' }), 'named by how it ended'],
  ['sync.succeeded', (event: Any) => event.data.scopes.push('guias'), 'one outcome for each scope'],
] as const)('the event %s: found when impossible (%#)', (type, change, fault) => {
  const event = structuredClone(mediaOf(EVENTS[type]!.requestBody)!.example);
  change(event);
  expect(eventFaults(event).join('; ')).toContain(fault);
});
