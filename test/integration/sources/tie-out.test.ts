/**
 * Logins of an institution that reports totals, synchronized for the first time: in every month the sums of the stored
 * rows equal the institution's totals, except for the figures that the table of credentials names. The test reads them
 * over HTTP. It uses all logins that differ and every third of the others; `works` compares two months of each login
 * that works with the institution's books.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract as coverageContract } from '#functions/api/coverage/get-coverage/contract.ts';
import { handler as getCoverage } from '#functions/api/coverage/get-coverage/handler.ts';
import { contract as periodContract } from '#functions/api/coverage/get-period-coverage/contract.ts';
import { handler as getPeriodCoverage } from '#functions/api/coverage/get-period-coverage/handler.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import type { SandboxCredential } from '#shared/sources/sandbox-kit/credential.ts';
import { bearer, type Credential, keyOf } from '#test/helpers/callers.ts';
import { sampled } from '#test/helpers/effort.ts';
import { call } from '#test/helpers/http.ts';
import { loadSources, type SourceFolder } from '#test/helpers/source-folders.ts';
import { type SourceWorld, startSourceWorld } from '#test/helpers/source-world.ts';
import { type Ended, endAll, QUIET_HOURS, STAGE_TIMEOUT_MS } from './stage.ts';

const folders = (await loadSources()).filter(({ scopes }) => scopes.some(({ totals }) => totals !== undefined));
let world: SourceWorld;
beforeAll(async () => {
  world = await startSourceWorld(folders, { table: 'quick', startsAt: QUIET_HOURS });
});
afterAll(() => world.stop());

interface Month {
  period: string;
  rows: number;
  is_open: boolean;
  verdict: string;
  differences: { figure: string }[];
}

interface Group {
  verdict: string;
  figures: { figure: string; institution: string | null; ours: string | null }[];
}

interface Totals {
  totals: Group[];
  totals_left_out: number;
}

/** Reads the months as an integrator does. */
const readMonths = async ({ connection }: Ended, scope: ScopeDefinition) => {
  const caller: Credential = bearer((await keyOf(connection.organizationId)).token);
  const params = { id: connection.id };
  const listed = await call(coverageContract, getCoverage, { ...caller, params, query: `scope=${scope.name}` });
  expect(listed.status).toBe(200);
  const [coverage] = listed.body.data as { periods: Month[] }[];
  return Promise.all(
    coverage!.periods.map(async (month) => {
      const of = { ...params, scope: scope.name, period: month.period };
      const detail = await call(periodContract, getPeriodCoverage, { ...caller, params: of });
      const { totals, totals_left_out: more, ...same } = detail.body.data as Month & Totals;
      expect([same, more]).toEqual([month, 0]);
      return { ...month, totals };
    }),
  );
};

const isOther = ({ institution, ours }: Group['figures'][number]): boolean =>
  institution !== null && ours !== null && Number(institution) !== Number(ours);

/**
 * Whether the institution reports totals of the month: statements do once they are closed, the tax authority always.
 */
const isTold = ({ source }: ScopeDefinition, { rows, is_open }: Month): boolean =>
  rows > 0 && (source === 'tax' || !is_open);

const expectTied = async (ended: Ended, entry: SandboxCredential, scope: ScopeDefinition): Promise<void> => {
  const months = await readMonths(ended, scope);
  const named = entry.differs?.[scope.name] ?? [];
  const differing = new Set<string>();
  for (const month of months) {
    const others = month.totals.flatMap(({ figures }) => figures.filter(isOther).map(({ figure }) => figure));
    for (const figure of others) differing.add(figure);
    expect(month.verdict === 'differs', `${scope.name} ${month.period}`).toBe(others.length > 0);
    expect(others).toEqual(expect.arrayContaining(month.differences.map(({ figure }) => figure)));
    if (isTold(scope, month)) expect(month.verdict, `${scope.name} ${month.period}`).not.toBe('not_told');
  }
  expect([...differing].sort(), scope.name).toEqual([...named].sort());
  const told = ended.run.outcomes[scope.name]!.notices.some(({ code }) => code.endsWith('.totals_differ'));
  expect(told, `${scope.name}: notice`).toBe(named.length > 0);
};

const scopesWithTotals = ({ scopes }: SourceFolder) => scopes.filter(({ totals }) => totals !== undefined);

describe.each(folders.map((folder) => [folder.code, folder] as const))('%s', (_code, folder) => {
  const all = folder.credentials.filter(({ behaviour }) => behaviour !== 'large');
  const differing = all.filter(({ differs }) => differs !== undefined);
  const others = all.filter((_, at) => at % 8 === 0);
  const entries = [...new Set([...sampled(others, 4), ...sampled(differing, 8)])];
  let ended: Map<SandboxCredential, Ended>;
  beforeAll(async () => {
    ended = await endAll(world, folder, entries, {});
  }, STAGE_TIMEOUT_MS);
  afterAll(() => Promise.all([...ended.values()].map(({ story }) => story.close())));

  test.each(entries.map((entry) => [entry.label, entry] as const))('%s', async (_label, entry) => {
    for (const scope of scopesWithTotals(folder)) await expectTied(ended.get(entry)!, entry, scope);
  });

  test('the first login has months that tie out in each of these scopes', async () => {
    for (const scope of scopesWithTotals(folder)) {
      const months = await readMonths(ended.get(folder.credentials[0]!)!, scope);
      expect(months.filter(({ verdict }) => verdict === 'equal').length, scope.name).toBeGreaterThan(1);
    }
  });
});
