/** The adapter against the simulated bank over real HTTP: every row of the credential table, tokens, resumption. */
import { describe, expect, test } from 'vitest';
import { banktwoBalances } from '#shared/scopes/banktwo-balances.ts';
import { banktwoMovements } from '#shared/scopes/banktwo-movements.ts';
import { SANDBOX_CREDENTIALS } from '#shared/sources/banktwo/sandbox/credentials.ts';
import { source } from '#shared/sources/banktwo/source.ts';
import { SourceError } from '#shared/sources/source.ts';
import { sampled } from '#test/helpers/effort.ts';
import { createAsk, createIo } from './ask.ts';
import {
  clientOf,
  clock,
  connect,
  failureOf,
  io,
  knobs,
  LARGE_MS,
  PERIOD,
  pullBalances,
  pullMovements,
  sandbox,
  tallyBalances,
  tallyMovements,
  url,
} from './banktwo-stage.ts';

/** The engine's attempts: a fault that ends after some calls also ends here. */
const tried = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === 4 || !(error instanceof SourceError) || error.code !== 'source.rate_limited') throw error;
    }
  }
};

describe('every row of the credential table', { timeout: LARGE_MS }, () => {
  test.each(sampled(SANDBOX_CREDENTIALS, 8).map((entry) => [entry.behaviour, entry] as const))(
    '%s',
    async (behaviour, entry) => {
      const { outcomes, credentials, notices = {} } = entry;
      const login = credentials.client_id;
      await knobs({ login, reset: true });
      const settings = behaviour === 'slow' ? { callTimeoutMs: 150 } : {};
      const works = {
        movements: async () => {
          const asked = createAsk();
          const read = await tried(() => pullMovements(entry, PERIOD, { asked, settings }));
          expect(tallyMovements(read.rows)).toEqual(sandbox.ledger(login, PERIOD).movements[PERIOD]);
          for (const row of read.rows) banktwoMovements.parsed.parse(row);
          expect(read.notices.map(({ code }) => code)).toEqual(notices.movements ?? []);
        },
        balances: async () => {
          const asked = createAsk();
          const read = await tried(() => pullBalances(entry, { asked, settings }));
          expect(tallyBalances(read.rows)).toEqual(sandbox.ledger(login).balances.now);
          for (const row of read.rows) banktwoBalances.parsed.parse(row);
          expect(read.notices.map(({ code }) => code)).toEqual(notices.balances ?? []);
        },
      };
      for (const [scope, work] of Object.entries(works)) {
        const failure = await failureOf(work);
        const wanted = outcomes[scope] ?? outcomes['*'];
        if (wanted === undefined) expect(failure).toBeUndefined();
        // The engine reports an error if a session ends again after a new login.
        else if (behaviour === 'session_taken_over') expect(failure).toMatchObject({ name: 'SessionExpired' });
        else expect(failure).toMatchObject({ name: 'SourceError', code: wanted });
        if (failure instanceof Error) {
          expect(failure.message).not.toContain(credentials.client_secret);
          expect(failure.message).not.toMatch(/\d{7}|eyJ/);
        }
      }
    },
  );
});

describe('tokens', () => {
  test('a refused secret is sent once', async () => {
    const entry = clientOf('wrong_password');
    const login = entry.credentials.client_id;
    await knobs({ login, reset: true });
    expect(await failureOf(() => connect(entry))).toMatchObject({ code: 'source.invalid_credentials' });
    expect(sandbox.logins(login)).toBe(1);
  });

  test.each([
    ['a wrong secret', { client_secret: 'otra' }],
    ['an unknown client', { client_id: 'nadie' }],
  ])('%s: invalid credentials', async (_what, change) => {
    const entry = clientOf('works');
    const credentials = { ...entry.credentials, ...change };
    expect(await failureOf(() => connect({ ...entry, credentials }))).toMatchObject({
      code: 'source.invalid_credentials',
    });
  });

  test('a company that is not granted: wrong company', async () => {
    const entry = clientOf('works');
    const credentials = { ...entry.credentials, company_rut: '70.000.002-8' };
    expect(await failureOf(() => pullBalances({ ...entry, credentials }))).toMatchObject({
      code: 'source.wrong_company',
    });
  });

  test('the company is that of the credentials, in any spelling', async () => {
    const entry = clientOf('works');
    const [body, digit] = entry.credentials.company_rut.split('-') as [string, string];
    const credentials = { ...entry.credentials, company_rut: `0${body.replaceAll(/\B(?=(\d{3})+$)/g, '.')}-${digit}` };
    expect((await pullBalances({ ...entry, credentials })).rows).toHaveLength(3);
  });

  test('a new one is requested at 80 % of its lifetime, during the work', async () => {
    const entry = clientOf('works');
    const login = entry.credentials.client_id;
    const session = await connect(entry);
    const before = sandbox.logins(login);
    const { accessToken } = session;
    clock.nowMs += 0.79 * 1_800_000;
    await pullBalances(entry, { session });
    expect(sandbox.logins(login)).toBe(before);
    clock.nowMs += 0.02 * 1_800_000;
    await pullBalances(entry, { session });
    expect(sandbox.logins(login)).toBe(before + 1);
    expect(session.accessToken).not.toBe(accessToken);
  });

  test('a secret that was changed meanwhile is reported as such', async () => {
    const entry = clientOf('works');
    const session = await connect(entry);
    clock.nowMs += 1_800_000;
    const changed = { ...entry, credentials: { ...entry.credentials, client_secret: 'nueva' } };
    expect(await failureOf(() => pullBalances(changed, { session }))).toMatchObject({
      code: 'source.invalid_credentials',
    });
  });

  test('a revoked one is a session that ended', async () => {
    const entry = clientOf('works');
    const { credentials, metadata } = entry;
    const session = await connect(entry);
    await knobs({ login: credentials.client_id, revokeTokens: true });
    const request = { scope: 'balances', period: null, credentials, metadata, input: {} };
    expect(
      await failureOf(() => source.pull(request, { session, ask: createAsk().ask, io: io(), progress: () => {} })),
    ).toMatchObject({
      name: 'SessionExpired',
    });
    await source.disconnect(session, io());
  });

  test('continues in another worker as plain JSON', async () => {
    const entry = clientOf('works');
    const before = sandbox.logins(entry.credentials.client_id);
    const session = JSON.parse(JSON.stringify(await connect(entry)));
    expect((await pullBalances(entry, { session })).rows).toHaveLength(3);
    expect(sandbox.logins(entry.credentials.client_id)).toBe(before + 1);
  });

  test('too many token calls: rate limited, for as long as the bank says', async () => {
    const entry = clientOf('no_movements');
    await knobs({ tokensPerMinute: 1, reset: true });
    try {
      await connect(entry);
      expect(await failureOf(() => connect(entry))).toMatchObject({
        code: 'source.rate_limited',
        retryAfterMs: 60_000,
      });
    } finally {
      await knobs({ tokensPerMinute: 0 });
    }
  });
});

describe('going on after a stop', () => {
  test('stored answers are not requested again', async () => {
    const entry = clientOf('works');
    const first = await pullMovements(entry);
    const again = createAsk(first.asked.kept);
    const second = await pullMovements(entry, PERIOD, { asked: again });
    expect(first.asked.fetched.length).toBeGreaterThan(4);
    expect(again.fetched).toEqual([]);
    expect(second.rows).toEqual(first.rows);
  });

  test.each([
    ['rate_limited', 3],
    ['cursor_expires', 1],
  ] as const)('%s: stored answers are used', async (behaviour, triesMax) => {
    const entry = clientOf(behaviour);
    await knobs({ login: entry.credentials.client_id, reset: true });
    const asked = createAsk();
    const first = await failureOf(() => pullMovements(entry, PERIOD, { asked }));
    expect(first instanceof SourceError).toBe(triesMax > 1);
    const { rows } = await tried(() => pullMovements(entry, PERIOD, { asked }));
    expect(new Set(asked.fetched.filter((key) => asked.kept.has(key))).size).toBe(asked.kept.size);
    expect(tallyMovements(rows)).toEqual(sandbox.ledger(entry.credentials.client_id, PERIOD).movements[PERIOD]);
  });

  test('a cursor that expired while nobody worked begins its window again', async () => {
    const entry = clientOf('works');
    const whole = await pullMovements(entry, '2026-09');
    const pages = [...whole.asked.kept.keys()].filter((key) => key.startsWith('movements/account-1/'));
    expect(pages.length).toBeGreaterThan(1);
    const kept = new Map([...whole.asked.kept].slice(0, 2));
    clock.nowMs += 6 * 60_000;
    const asked = createAsk(kept);
    const { rows } = await pullMovements(entry, '2026-09', { asked });
    expect(rows).toEqual(whole.rows);
    expect(asked.fetched.slice(0, 3)).toEqual([
      'movements/account-1/1/2',
      'movements/account-1/2/1',
      'movements/account-1/2/2',
    ]);
  });

  test('midnight changes no window that was begun', async () => {
    const entry = clientOf('works');
    const before = clock.nowMs;
    const whole = await pullMovements(entry);
    const kept = new Map([...whole.asked.kept].slice(0, 1));
    try {
      clock.nowMs += 24 * 3_600_000;
      const asked = createAsk(kept);
      await pullMovements(entry, PERIOD, { asked });
      const windows = [...asked.kept.values()].map(({ request }) => request.closingDate);
      expect(new Set(windows)).toEqual(new Set(['2026-11-20']));
    } finally {
      clock.nowMs = before;
    }
  });

  test('a stored request holds what the parser needs and nothing else', async () => {
    const entry = clientOf('works');
    const { asked } = await pullMovements(entry);
    for (const { request } of asked.kept.values()) {
      const keys = Object.keys(request).toSorted().join();
      expect([
        'call,closingDate,earliestDate,openingDate',
        'accountId,call,closingDate,openingDate,page,round',
      ]).toContain(keys);
    }
  });

  test('the engine can stop a pull', async () => {
    const entry = clientOf('works');
    const session = await connect(entry);
    const controller = new AbortController();
    controller.abort(new Error('out of time'));
    const stopped = createIo(url, clock, {}, controller.signal);
    const { credentials, metadata } = entry;
    const request = { scope: 'balances', period: null, credentials, metadata, input: {} };
    const failure = await failureOf(() =>
      source.pull(request, { session, ask: createAsk().ask, io: stopped, progress: () => {} }),
    );
    expect(failure).toMatchObject({ message: 'out of time' });
    expect(failure).not.toBeInstanceOf(SourceError);
  });
});
