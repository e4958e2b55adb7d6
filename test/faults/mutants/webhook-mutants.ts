// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are code, quoted unchanged
/** Conditions that webhook deliveries depend on. */
import { type Mutant, one } from './mutant.ts';

const DELIVER = 'shared/webhooks/deliver.ts';
const DELIVERIES = 'shared/webhooks/delivery.store.ts';
const PLACES = 'shared/webhooks/concurrency.store.ts';
const OUTCOME = 'shared/webhooks/record-outcome.ts';

export const WEBHOOK_MUTANTS: readonly Mutant[] = [
  {
    name: 'webhook sent before its attempt is recorded',
    changes: [
      { file: DELIVER, old: '  await deliveries.claimAttempt(delivery, claimed, endpoint);\n', new: '' },
      {
        file: DELIVER,
        old: '  await recordOutcome(claimed,',
        new: '  await deliveries.claimAttempt(delivery, claimed, endpoint);\n  await recordOutcome(claimed,',
      },
    ],
  },
  one(
    'delivery moved without its generation',
    'shared/webhooks/delivery.store.ts',
    "if: '#hop = :generation AND #status = :was',",
    "if: '#status = :was',",
  ),
  one("a webhook's slot never released", OUTCOME, '  await concurrency.releaseSlot(claimed, after);\n', ''),
  one(
    'webhook: an endpoint with any number of attempts at a time',
    PLACES,
    'OR (size(#in_flight) < :max AND attribute_not_exists(#is_slow))',
    'OR attribute_not_exists(#is_slow)',
  ),
  one(
    'webhook: a slow endpoint with as many attempts as any',
    PLACES,
    'OR (size(#in_flight) < :max AND attribute_not_exists(#is_slow))',
    'OR size(#in_flight) < :max',
  ),
  one('webhook: a slot refused to its holder', PLACES, 'if: `${IS_TAKEN} OR ((', 'if: `(('),
  one('webhook: an attempt without a slot', DELIVERIES, '  await concurrency.acquireSlot(after, endpoint);\n', ''),
  one(
    'webhook: a slot not released though the claim was refused',
    DELIVERIES,
    '    if (error instanceof concurrency.ClaimConflict) await concurrency.dropSlot(after);\n',
    '',
  ),
  one('webhook: a slot never lapses', DELIVER, '    await dropLapsed(delivery, lapsed);\n', ''),
  one('webhook: a slot lapses at once', PLACES, '>= WEBHOOK_LIMITS.webhookClaimMs;', '>= 0;'),
  one(
    'webhook: a write of an attempt refused to the request that repeats it',
    DELIVERIES,
    'if: `(${change.if}) OR (#hop = :next AND #attempt_id = :attempt)`,',
    'if: change.if,',
  ),
  one(
    'webhook: a repeated claim known by its generation, not by its attempt',
    DELIVERIES,
    'if: `(${change.if}) OR (#hop = :next AND #attempt_id = :attempt)`,',
    'if: `(${change.if}) OR #hop = :next`,',
  ),
  one(
    "webhook: the sweeper's word under the id of the attempt that it closed",
    'shared/webhooks/delivery.rules.ts',
    'return { ...settled, attemptId: null, tookMs: null };',
    'return { ...settled, tookMs: null };',
  ),
  one(
    'webhook: a success that overlooks a failure counted meanwhile',
    PLACES,
    'if: `${IS_TAKEN} AND attribute_not_exists(#has_failures)`,',
    'if: IS_TAKEN,',
  ),
  one(
    'webhook: a failure not marked at the slots',
    PLACES,
    "hasFailures: failures === 'more' || undefined, revision",
    'hasFailures: undefined, revision',
  ),
  one(
    'webhook: a late stamp of a success takes back a later one',
    'shared/webhooks/endpoint.store.ts',
    'AND (#last_success_at = :never OR #last_success_at < :at)`,',
    '`,',
  ),
];
