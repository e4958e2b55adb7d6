/** Worker concurrency: the mappings have the stage's values, and the API keeps its share of the account's limit. */
import { describe, expect, it } from 'vitest';
import { createApp } from '#infra/app.ts';
import { chooseConcurrency, refuseTooManyWorkers, workersAtOnce } from '#infra/concurrency.ts';
import { QUEUE_CONSUMERS, SCOPE_QUEUES } from '#infra/manifest.ts';
import { parseStage, STAGE_NAMES, type Stage, stageNamed } from '#infra/stages.ts';
import { ofType } from './synthesized.ts';

const withConcurrency = (name: string, more: Partial<Stage['concurrency']>): Stage => {
  const stage = stageNamed(name);
  return parseStage({ ...stage, concurrency: { ...stage.concurrency, ...more } });
};

describe.each(STAGE_NAMES)('stage %s', (name) => {
  const stage = stageNamed(name);
  const mapped = () =>
    ofType(name, 'AWS::Lambda::EventSourceMapping').map(
      ({ properties }) => properties.ScalingConfig.MaximumConcurrency,
    );

  it('has the sum of its mappings as workers at once, and leaves the API its reserve', () => {
    const sum = mapped().reduce((total: number, each: number) => total + each, 0);
    expect(mapped()).toHaveLength(QUEUE_CONSUMERS.length);
    expect(workersAtOnce(stage)).toBe(sum);
    expect(sum).toBeLessThanOrEqual(stage.concurrency.account - stage.concurrency.apiReserve);
    expect(() => refuseTooManyWorkers(stage)).not.toThrow();
  });
});

it('bounds each worker by its own word', () => {
  const prod = stageNamed('prod');
  const said = ['sync-requests', 'webhook-deliveries', 'purges'].map((queue) => chooseConcurrency(queue, prod));
  expect(said).toEqual([5, 50, 2]);
  expect(SCOPE_QUEUES.map((queue) => chooseConcurrency(queue, prod))).toEqual(SCOPE_QUEUES.map(() => 15));
  const dev = stageNamed('dev');
  expect(QUEUE_CONSUMERS.map(({ queue }) => chooseConcurrency(queue, dev))).toEqual([
    2,
    3,
    2,
    ...SCOPE_QUEUES.map(() => 2),
  ]);
});

it('refuses at synth a stage whose workers would take what is the API’s, by one, and names the figures', () => {
  const needed = SCOPE_QUEUES.length * 15 + 50 + 5 + 2;
  const exact = withConcurrency('prod', { apiReserve: 1_000 - needed });
  expect(() => createApp({ stage: exact, bundleDir: null, isValidated: false })).not.toThrow();
  const tooMany = withConcurrency('prod', { apiReserve: 1_000 - needed + 1 });
  expect(() => createApp({ stage: tooMany, bundleDir: null, isValidated: false })).toThrow(
    `stage prod: ${needed} workers at once (${SCOPE_QUEUES.length} scopes × 15, webhooks 50, dispatch 5, purge 2) are more than the ${needed - 1} that remain of the account's 1000 after ${1_001 - needed} for the API`,
  );
});

it.each([
  ['scope', 1],
  ['webhooks', 1],
  ['dispatch', 0],
  ['purge', 1],
  ['purge', 1_001],
  ['apiReserve', 0],
  ['account', 2.5],
] as const)('refuses %s %d, which a mapping or an account cannot have', (name, value) => {
  expect(() => withConcurrency('dev', { [name]: value })).toThrow(`concurrency.${name}`);
  expect(() => withConcurrency('dev', { [name]: 2 })).not.toThrow();
});
