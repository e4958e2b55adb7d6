/** A visit of each simulated institution: the report is complete, equals docs/wire, and contains no value. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plantClock } from '#shared/platform/clock.ts';
import type { SandboxServer } from '#shared/sources/sandbox-kit/server.ts';
import { IS_WHOLE, sampled } from '#test/helpers/effort.ts';
import { loadSources } from '#test/helpers/source-folders.ts';
import { compareReport } from '#tools/contact/compare.ts';
import { type Expectation, ExpectationSchema, listKnownNames } from '#tools/contact/expectation.ts';
import { expectationFile, listScopes } from '#tools/contact/institution.ts';
import { KNOWN_CODES, listCodes } from '#tools/contact/known-codes.ts';
import { maskValues } from '#tools/contact/mask-values.ts';
import { reportPage } from '#tools/contact/page.ts';
import { expectationText, recordExpectation, visitSandbox } from '#tools/contact/record.ts';
import { buildReport } from '#tools/contact/report.ts';
import { type Visit, visitInstitution } from '#tools/contact/visit.ts';
import { collectValues } from './values.ts';

let nowMs = Date.parse('2026-11-20T15:00:00Z');
/** Waits of the adapters move the clock. */
const wait = async (ms: number): Promise<void> => {
  nowMs += ms;
};
const PERIOD = '2026-10';
const folders = await loadSources();

test('every source of the service is visited', () => {
  expect(folders.flatMap(({ scopes }) => scopes)).toHaveLength(15);
});

describe.each(folders.map((folder) => [folder.code, folder] as const))('%s', (code, folder) => {
  let server: SandboxServer;
  let baseUrl: string;
  beforeAll(async () => {
    plantClock(() => nowMs);
    server = folder.createSandbox({ now: () => nowMs });
    baseUrl = await server.listen(0);
  });
  afterAll(async () => {
    await server.close();
    plantClock(undefined);
  });

  const expected = (): Expectation => ExpectationSchema.parse(JSON.parse(readFileSync(expectationFile(code), 'utf8')));
  const tenderOf = ({ metadata }: (typeof folder.credentials)[number]): string | undefined => {
    const { codigos } = metadata;
    return Array.isArray(codigos) ? (codigos[0] as string | undefined) : undefined;
  };

  test('the report of the first login is complete and has no difference', async () => {
    const [entry] = folder.credentials;
    const report = await visitSandbox(code, baseUrl, entry!, { period: PERIOD, tender: tenderOf(entry!) });
    expect(report.loginStop).toBeNull();
    expect(report.scopes.map(({ scope, stop }) => [scope, stop])).toEqual(
      listScopes(code).map(({ name }) => [name, null]),
    );
    for (const { rows, totals, balances } of report.scopes) {
      expect(rows).toBeGreaterThan(0);
      expect(totals?.verdict ?? 'equal').toBe('equal');
      expect(Object.keys(balances ?? { holds: 1 })).toEqual(['holds']);
    }
    expect(compareReport(report, expected())).toEqual([]);
  });

  test.runIf(IS_WHOLE)(
    'docs/wire/shapes is what the simulated institution shows; else: npm run contact -- --record',
    async () => {
      plantClock(undefined);
      expect(expectationText(await recordExpectation(code))).toBe(readFileSync(expectationFile(code), 'utf8'));
      plantClock(() => nowMs);
    },
  );

  test('no login leaves a value in report, page or progress, and none makes two logins', {
    timeout: 240_000,
  }, async () => {
    const entries = folder.credentials.filter(({ behaviour }) => behaviour !== 'large');
    for (const entry of sampled(entries, 6)) {
      const { credentials, metadata } = entry;
      const said: string[] = [];
      const visit: Visit = await visitInstitution({
        ...{ adapter: folder.source, scopes: folder.scopes, credentials, metadata, baseUrl },
        ...{
          period: PERIOD,
          tender: tenderOf(entry),
          progress: (message) => said.push(message),
          wait,
          callTimeoutMs: 1_000,
        },
      });
      const expectation = expected();
      const words = JSON.stringify([expectation, listCodes(code)]);
      const showable = { codes: KNOWN_CODES[code] ?? {}, names: listKnownNames(expectation) };
      const built = buildReport(visit, '2026-11-20', showable);
      const report = maskValues(built, Object.values(credentials), visit.observed, words);
      const page = reportPage(report, compareReport(report, expectation));
      const written = [JSON.stringify(report, null, 1), page, ...said].join('\n');
      const values = [...Object.values(credentials), ...collectValues(visit.observed)];
      // A value that is also a word of the documents proves nothing.
      const leaked = values.filter((value) => written.includes(value) && !words.includes(value));
      expect(leaked, entry.label).toEqual([]);
    }
  });
});
