/** The adapter against the sandbox over HTTP: it reads what the portal holds. */
import { describe, expect, test } from 'vitest';
import type { ProcurementCredential } from '#shared/sources/procurement/sandbox/credentials.ts';
import { SANDBOX_CREDENTIALS } from '#shared/sources/procurement/sandbox/credentials.ts';
import { source } from '#shared/sources/procurement/source.ts';
import { SourceError } from '#shared/sources/source.ts';
import { sampled } from '#test/helpers/effort.ts';
import { createAsk } from './ask.ts';
import {
  behaving,
  checkedRows,
  connect,
  filesOf,
  io,
  knobs,
  NAMES,
  pull,
  requestOf,
  type Scope,
  sandbox,
  tallyOf,
  useSandbox,
  wantedOf,
} from './procurement-stage.ts';

useSandbox();

const codigosOf = (entry: ProcurementCredential): string[] => entry.metadata.codigos ?? [];
const fine = SANDBOX_CREDENTIALS.filter(({ outcomes }) => Object.keys(outcomes).length === 0).filter(
  (entry) => codigosOf(entry).length > 0 && !['rate_limited', 'gateway'].includes(entry.behaviour),
);

const failure = async (work: Promise<unknown>): Promise<unknown> => work.then(() => undefined).catch((error) => error);

describe.each(sampled(fine, 10).map((entry) => [entry.label, entry] as const))('%s', (_label, entry) => {
  test.each(NAMES)('%s are those of the ledger', { timeout: 60_000 }, async (scope) => {
    await knobs({ reset: true, ticket: entry.credentials.ticket });
    const ledger = sandbox.ledger(entry.credentials.ticket)[scope]!.now;
    for (const codigo of codigosOf(entry)) {
      const { rows, isAbsent } = await pull(scope, entry, codigo);
      expect(isAbsent).toBe(entry.behaviour === 'unknown_tender');
      const own = ledger.by[codigo] ?? { count: 0, sums: tallyOf(scope, []).sums };
      expect(tallyOf(scope, checkedRows(scope, rows)), `${scope} of ${codigo}`).toEqual(own);
    }
  });
});

describe('refusals', () => {
  const faulty = SANDBOX_CREDENTIALS.filter(({ outcomes }) => Object.keys(outcomes).length > 0);

  test.each(sampled(faulty, 10).map((entry) => [entry.label, entry] as const))('%s', async (_label, entry) => {
    for (const scope of NAMES) {
      await knobs({ reset: true, ticket: entry.credentials.ticket });
      const expected = entry.outcomes[scope] ?? entry.outcomes['*'];
      const work = async () => {
        await connect(entry, { callTimeoutMs: 1_500 });
        await pull(scope, entry, codigosOf(entry)[0]!, createAsk(), { callTimeoutMs: 1_500 });
      };
      const error = await failure(work());
      expect((error as SourceError | undefined)?.code, scope).toBe(expected);
      if (error instanceof SourceError) expect(error.message).not.toContain(entry.credentials.ticket);
    }
  });

  test('the pace delays simultaneous requests, then they are reported', async () => {
    const entry = behaving('rate_limited');
    await knobs({ reset: true, ticket: entry.credentials.ticket });
    const asked = createAsk();
    const session = await connect(entry);
    const [codigo] = codigosOf(entry);
    expect(await failure(pull('licitaciones', entry, codigo!, asked, {}, session))).toMatchObject({
      code: 'source.rate_limited',
    });
    const { rows } = await pull('licitaciones', entry, codigo!, asked, {}, session);
    expect(rows).toHaveLength(1);
  });

  test('a gateway that timed out is unavailable, and asks for a minute', async () => {
    const entry = behaving('gateway');
    await knobs({ reset: true, ticket: entry.credentials.ticket });
    await connect(entry);
    const pace = { callDelayMs: 1_500, callsMax: 9_500, windowMs: 86_400_000 };
    const pulled = pull('licitaciones', entry, codigosOf(entry)[0]!, createAsk(), { pace });
    expect(await failure(pulled)).toMatchObject({ code: 'source.unavailable', retryAfterMs: 60_000 });
  });
});

describe('files', () => {
  test.each<Scope>(['documentos', 'ofertas'])(
    'of %s are the very ones, over all pages',
    async (scope) => {
      const entry = behaving('large');
      const [codigo] = codigosOf(entry);
      const rows = checkedRows(scope, (await pull(scope, entry, codigo!)).rows);
      const wanted = wantedOf(scope, rows);
      expect(wanted.length).toBeGreaterThan(50);
      const files = await filesOf(scope, entry, codigo!, wanted);
      const got = files.flatMap((file) => ('body' in file ? [Buffer.from(file.body).toString()] : []));
      expect(got).toHaveLength(wanted.length);
      for (const [at, { name }] of wanted.entries()) {
        expect(got[at]).toContain(codigo);
        if (name !== null) expect(got[at]).toContain(name);
      }
    },
    120_000,
  );

  test.each(['stale_files', 'junk_file'] as const)('%s are reported, one notice each', async (behaviour) => {
    const entry = behaving(behaviour);
    const [codigo] = codigosOf(entry);
    const wanted = wantedOf('documentos', checkedRows('documentos', (await pull('documentos', entry, codigo!)).rows));
    const files = await filesOf('documentos', entry, codigo!, wanted);
    expect(files).toHaveLength(wanted.length);
    for (const file of files)
      expect(file).toMatchObject({ notice: { code: 'procurement.documentos.file_unavailable' } });
  });
});

describe('going on after a crash', () => {
  test.each(NAMES)('%s: stored answers are not requested again', async (scope) => {
    const entry = behaving('works');
    const codigo = codigosOf(entry)[1]!;
    const whole = createAsk();
    const { rows } = await pull(scope, entry, codigo, whole);
    const keys = [...whole.kept.keys()];
    for (let kept = 0; kept <= keys.length; kept++) {
      const again = createAsk(new Map([...whole.kept].slice(0, kept)));
      expect((await pull(scope, entry, codigo, again)).rows).toEqual(rows);
      expect(again.fetched).toEqual(keys.slice(kept));
    }
  });

  test('with links and view states that are over by then', async () => {
    const entry = behaving('large');
    const [codigo] = codigosOf(entry);
    const whole = createAsk();
    const session = await connect(entry);
    const { rows } = await pull('documentos', entry, codigo!, whole, {}, session);
    for (const kept of [1, 3]) {
      await knobs({ expireTokens: true });
      const again = createAsk(new Map([...whole.kept].slice(0, kept)));
      expect((await pull('documentos', entry, codigo!, again, {}, session)).rows).toEqual(rows);
      expect(again.fetched).toEqual([...whole.kept.keys()].slice(kept));
    }
  });
});

describe('days', () => {
  test('give the codes of the tenders published on them', async () => {
    const entry = behaving('works');
    const asked = createAsk();
    const found: string[] = [];
    for (let day = 1; day <= 31; day++) {
      const request = requestOf('licitaciones', entry, '');
      const date = `2026-10-${String(day).padStart(2, '0')}`;
      found.push(...(await source.tenders!.publishedOn(date, request, { session: {}, ask: asked.ask, io: io() })));
    }
    expect(found).toHaveLength(10);
    expect(new Set(found).size).toBe(10);
    expect(found).toContain(codigosOf(entry)[2]);
  });
});

test('stored requests contain neither ticket nor link', async () => {
  const entry = behaving('works');
  for (const scope of NAMES) {
    const { asked } = await pull(scope, entry, codigosOf(entry)[1]!);
    const told = JSON.stringify([...asked.kept.values()].map(({ request }) => request));
    expect(told).not.toContain(entry.credentials.ticket);
    expect(told).not.toMatch(/enc=|qs=|http/);
  }
});
