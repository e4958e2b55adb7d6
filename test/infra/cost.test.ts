/** docs/cost.md is the generator's output, reads templates correctly, and says of each promise whether it holds. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lazy } from '#shared/platform/lazy.ts';
import { idleMonth, millionPages, millionWebhooks, scopeMonth, sumLines, thousandSyncs } from '#tools/cost/bills.ts';
import { listBounds } from '#tools/cost/bounds.ts';
import { readCounted } from '#tools/cost/counted.ts';
import { COST_PAGE, costPage } from '#tools/cost/page.ts';
import { PRICES, toDollars } from '#tools/cost/prices.ts';
import { billOfStage, countBill, type StageBill } from '#tools/cost/stage-bill.ts';
import { ofType } from './synthesized.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const dev = lazy(() => billOfStage('dev'));
const prod = lazy(() => billOfStage('prod'));

/** Promises that do not hold yet. Remove a promise here when you fix it. */
const MISSING: readonly string[] = [];

describe('docs/cost.md', () => {
  const page = readFileSync(join(ROOT, COST_PAGE), 'utf8');

  it('is what `npm run cost` makes', () => {
    expect(page).toBe(costPage());
  });

  it('follows the templates, the counted units and the promises', () => {
    const counted = readCounted();
    const { page: listed } = counted.operations;
    const dearer = { ...counted, operations: { ...counted.operations, page: { ...listed, readUnits: 160 } } };
    expect(costPage(dearer)).toContain('table, 160 read units | 20.00 | counted');
    expect(costPage(dearer)).not.toBe(page);
  });

  it('is what docs/performance.md says of a page of rows and a webhook', () => {
    const other = readFileSync(join(ROOT, 'docs/performance.md'), 'utf8');
    const counted = readCounted();
    const { page: listed, webhook } = counted.operations;
    const told = (lines: Parameters<typeof sumLines>[0]): string => sumLines(lines).toFixed(1);
    const [packed, plain] = [true, false].map((gzip) => told(millionPages(prod(), counted, gzip)));
    expect(other).toContain(`| page of 50 rows | ${listed.readUnits} | 0 | ${packed} with gzip, ${plain} without |`);
    const units = `${webhook.readUnits} | ${webhook.writeUnits}`;
    expect(other).toContain(
      `| webhook, event and attempt | ${units} | ${told(millionWebhooks(prod(), counted, 'often'))} |`,
    );
  });

  it('keeps every promise but those that are known to be missing, and says by how much', () => {
    const bounds = listBounds(dev(), prod(), readCounted());
    expect(bounds.map(({ what, atMost }) => [what, atMost])).toEqual([
      ['idle month of `dev`', 11],
      ['idle month of `prod`', 14],
      ['a million list pages, gzip, `prod`', 3.6],
      ['a million webhooks, 20 an endpoint in five minutes, `prod`', 9],
      ['a month of a scope, hourly, `prod`', 0.2],
    ]);
    expect(bounds.filter(({ is, atMost }) => is > atMost).map(({ what }) => what)).toEqual(MISSING);
    for (const { is, atMost, missing } of bounds) {
      expect(missing === null).toBe(is <= atMost);
      if (missing !== null) expect(page).toContain(`**${(is - atMost).toFixed(2)} too much.** Missing: ${missing}`);
    }
  });
});

describe('a bill', () => {
  it.each(['dev', 'prod'])('of %s counts the resources of its template', (stage) => {
    const bill = stage === 'dev' ? dev() : prod();
    const count = (type: string): number => ofType(stage, type).length;
    expect(bill.alarms).toBe(count('AWS::CloudWatch::Alarm'));
    expect(bill.mappings).toBe(count('AWS::Lambda::EventSourceMapping'));
    expect(bill.keys).toBe(count('AWS::KMS::Key'));
    expect(bill.boards).toBe(stage === 'prod' ? 1 : 0);
    expect(bill.firings).toBe(43_800);
    expect(bill.functions.get('sweep')).toMatchObject({ isTraced: false, tellsInvocations: false });
  });

  it('counts each metric of an alarm with a formula, and one for any other', () => {
    const alarm = (Properties: object) => ({ Type: 'AWS::CloudWatch::Alarm', Properties });
    const stat = { MetricStat: {} };
    const { alarms, alarmMetrics } = countBill([alarm({ MetricName: 'A' }), alarm({ Metrics: [{}, stat, stat] })]);
    expect([alarms, alarmMetrics]).toEqual([2, 3]);
  });

  it('refuses a schedule that it cannot read, and reads one of every two minutes', () => {
    const every = (ScheduleExpression: string) =>
      countBill([{ Type: 'AWS::Scheduler::Schedule', Properties: { ScheduleExpression } }]).firings;
    expect(every('rate(2 minutes)')).toBe(21_900);
    expect(() => every('cron(0 3 * * ? *)')).toThrow('cannot read the schedule cron(0 3 * * ? *)');
  });

  it('of an idle month grows by what is paid for each month', () => {
    const grown = (more: Partial<StageBill>): number =>
      sumLines(idleMonth({ ...dev(), ...more }, readCounted())) - sumLines(idleMonth(dev(), readCounted()));
    expect(grown({ boards: 1 })).toBeCloseTo(3);
    expect(grown({ alarmMetrics: dev().alarmMetrics + 10 })).toBeCloseTo(1);
    expect(grown({ keys: dev().keys + 1 })).toBeCloseTo(1);
    expect(grown({ mappings: dev().mappings + 1 })).toBeCloseTo(0.2628);
    const swept = new Map(dev().functions).set('sweep', { memoryMb: 512, isTraced: true, tellsInvocations: true });
    // Each sweep costs a trace and 800 bytes of log.
    expect(grown({ functions: swept })).toBeGreaterThan(0.219 + 0.0175);
  });

  it('of a scope’s month is that of its syncs, and of 90 days of raw answers', () => {
    const { syncAgain } = readCounted().operations;
    const [hourly, daily] = [24, 1].map((syncsADay) => sumLines(scopeMonth(prod(), syncAgain, syncsADay)));
    // Hourly tasks share invocations, and daily ones of as many connections seldom do.
    expect(hourly! / daily!).toBeGreaterThan(8);
    expect(hourly! / daily!).toBeLessThan(24);
    const stored = (24 * 90 * syncAgain.objectBytes * 0.023) / 1e9;
    const ofSeconds = (seconds: number) => 0.73 * sumLines(thousandSyncs(prod(), syncAgain, seconds)) + stored;
    expect(hourly).toBeGreaterThan(ofSeconds(15));
    expect(hourly).toBeLessThan(ofSeconds(25));
    expect(ofSeconds(60)).toBeGreaterThan(0.3);
    const heavy = sumLines(scopeMonth(prod(), { ...syncAgain, objectBytes: 1e9 }, 1));
    expect(heavy - daily!).toBeCloseTo(90 * 0.023, 2);
  });

  it('of rare webhooks has a request to the key for each, and a read of the endpoint', () => {
    const [often, hourly] = (['often', 'hourly'] as const).map((pace) =>
      sumLines(millionWebhooks(prod(), readCounted(), pace)),
    );
    expect(hourly! - often!).toBeCloseTo(3 - 0.15 + 0.125);
  });

  it('refuses a stage without a function that its figures need', () => {
    expect(() => idleMonth({ ...dev(), functions: new Map() }, readCounted())).toThrow('no template has a function');
  });
});

it('names for every price the AWS page with it', () => {
  for (const [name, { dollars, page }] of Object.entries(PRICES)) {
    expect(dollars, name).toBeGreaterThan(0);
    expect(page, name).toMatch(/^(?:Amazon|AWS) .* pricing/);
  }
  expect(toDollars('writeUnit', 2_000_000)).toBeCloseTo(1.25);
});
