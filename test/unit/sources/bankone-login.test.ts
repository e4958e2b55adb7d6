/** Login, second factor, company, token, and the portal's answer when it is closed (banks.md §3.1). */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { source } from '#shared/sources/bankone/source.ts';
import { SessionExpired } from '#shared/sources/source.ts';
import { createAsk, createClock, createIo } from './ask.ts';
import {
  at,
  clock,
  connect,
  entryOf,
  failureOf,
  inSession,
  io,
  knobs,
  LAST_MONTH,
  loginOf,
  pull,
  requestOf,
  sandbox,
  withKnobs,
} from './bankone-stage.ts';

describe('second factor', () => {
  const waited = async (work: () => Promise<unknown>): Promise<{ failure: unknown; waits: number[] }> => {
    const before = clock.waits.length;
    const failure = await failureOf(work);
    return { failure, waits: clock.waits.slice(before) };
  };

  test('approved on the phone: asked every 3 s until it is', async () => {
    const { failure, waits } = await waited(() => inSession(entryOf('two_factor_approved'), async () => {}));
    expect([failure, waits]).toEqual([undefined, [3_000, 3_000]]);
  });

  test('the engine learns until when a person may answer, and of no wait without one', async () => {
    const told: number[] = [];
    const { credentials, metadata } = entryOf('two_factor_timeout');
    const begunMs = clock.nowMs;
    const listening = { ...io(), awaitsApproval: (untilMs: number) => void told.push(untilMs) };
    await failureOf(() => source.connect({ credentials, metadata }, listening));
    expect(told).toEqual([begunMs + 120_000]);
  });

  test('nobody answers: 120 s and no longer', async () => {
    const { failure, waits } = await waited(() => connect(entryOf('two_factor_timeout')));
    expect(failure).toMatchObject({ code: 'source.mfa_timeout' });
    expect(waits).toEqual(Array(40).fill(3_000));
  });

  test('a code that somebody must type is not waited for', async () => {
    const { failure, waits } = await waited(() => connect(entryOf('two_factor_asked')));
    expect(failure).toMatchObject({ code: 'source.mfa_required' });
    expect(waits).toEqual([]);
  });

  test('refused: asked once', async () => {
    const { failure, waits } = await waited(() => connect(entryOf('two_factor_refused')));
    expect(failure).toMatchObject({ code: 'source.mfa_required', message: 'login approval: refused on the phone' });
    expect(waits).toEqual([3_000]);
  });

  test('the engine can stop the wait', async () => {
    const { credentials, metadata } = entryOf('two_factor_timeout');
    const controller = new AbortController();
    const stopping = io({}, controller.signal);
    const wait = stopping.wait;
    stopping.wait = async (ms) => {
      controller.abort(new Error('out of time'));
      return wait(ms);
    };
    expect(await failureOf(() => source.connect({ credentials, metadata }, stopping))).toMatchObject({
      message: 'out of time',
    });
  });
});

describe('sessions', () => {
  test('a second login of the same user ends the first session', async () => {
    const entry = entryOf('works');
    const first = await connect(entry);
    await inSession(entry, async () => {
      const pulling = source.pull(requestOf(entry, 'balances', null), {
        session: first,
        ask: createAsk().ask,
        io: io(),
        progress: () => {},
      });
      expect(await failureOf(() => pulling)).toBeInstanceOf(SessionExpired);
    });
    expect(sandbox.openSessions(loginOf(entry))).toBe(0);
  });

  test.each(['json', 'redirect', 'page'])('its end is understood as %s', async (sessionEnd) => {
    const entry = entryOf('works');
    await withKnobs({ sessionEnd }, { sessionEnd: 'rotate' }, async () => {
      await inSession(entry, async (session) => {
        await knobs({ rut: loginOf(entry), expireSessions: true });
        const pulling = source.pull(requestOf(entry, 'balances', null), {
          session,
          ask: createAsk().ask,
          io: io(),
          progress: () => {},
        });
        expect(await failureOf(() => pulling)).toBeInstanceOf(SessionExpired);
      });
    });
  });

  test('300 s idle end it', async () => {
    const entry = entryOf('works');
    const before = clock.nowMs;
    await inSession(entry, async (session) => {
      clock.nowMs += 300_000;
      const pulling = source.pull(requestOf(entry, 'balances', null), {
        session,
        ask: createAsk().ask,
        io: io(),
        progress: () => {},
      });
      expect(await failureOf(() => pulling)).toBeInstanceOf(SessionExpired);
      clock.nowMs = before;
    });
  });

  test('continues in another worker as plain JSON, with the newest token', async () => {
    const entry = entryOf('works');
    await inSession(entry, async (session) => {
      for (const scope of ['movements', 'transfers', 'nominas', 'balances']) {
        const copy = JSON.parse(JSON.stringify(session));
        await source.pull(requestOf(entry, scope, LAST_MONTH), {
          session: copy,
          ask: createAsk().ask,
          io: io(),
          progress: () => {},
        });
        Object.assign(session, copy);
      }
    });
    expect(sandbox.openSessions(loginOf(entry))).toBe(0);
  });

  test('a logout of a session that is gone, or of a bank that is gone, is no error', async () => {
    await inSession(entryOf('works'), async (session) => {
      await knobs({ expireSessions: true });
      await source.disconnect(session, createIo('http://127.0.0.1:1'));
    });
    await source.disconnect({}, io());
  });

  test('a logout with the token of an older answer also frees the slot', async () => {
    const entry = entryOf('works');
    const session = await connect(entry);
    const older = structuredClone(session);
    await source.pull(requestOf(entry, 'movements', LAST_MONTH), {
      session,
      ask: createAsk().ask,
      io: io(),
      progress: () => {},
    });
    expect(older.cookies).not.toEqual(session.cookies);
    await source.disconnect(older, io());
    expect(sandbox.openSessions(loginOf(entry))).toBe(0);
  });

  test('a company that may not be read: the session is left again', async () => {
    const entry = entryOf('wrong_company');
    expect(await failureOf(() => connect(entry))).toMatchObject({ code: 'source.wrong_company' });
    expect(sandbox.openSessions(loginOf(entry))).toBe(0);
  });

  test('stored answers stay with their company, for any selection of a new login', async () => {
    const entry = entryOf('works');
    const asked = createAsk();
    await inSession(entry, (session) =>
      source.pull(requestOf(entry, 'nominas', LAST_MONTH), { session, ask: asked.ask, io: io(), progress: () => {} }),
    );
    const kept = new Map([...asked.kept].filter(([key]) => key === 'accounts'));
    const again = createAsk(kept);
    const other = { ...entry, credentials: { ...entry.credentials, company_rut: '77000002-9' } };
    const { company } = await inSession(entry, async (session) => session);
    expect(company).not.toBe(other.credentials.company_rut);
    await inSession(entry, async (session) => {
      session.company = '77000002-9';
      await source.pull(requestOf(entry, 'nominas', LAST_MONTH), {
        session,
        ask: again.ask,
        io: io(),
        progress: () => {},
      });
    });
    expect([...again.kept.values()].map(({ body }) => body)).toEqual([...asked.kept.values()].map(({ body }) => body));
  });
});

describe('closed doors', () => {
  test('maintenance: at its announced end', async () => {
    const failure = await failureOf(() => connect(entryOf('maintenance')));
    expect(failure).toMatchObject({ code: 'source.maintenance', retryAfterMs: 2_000 });
  });

  test('the nightly hour of Sunday, at login and in the middle of the work', async () => {
    await withKnobs({ nightlyMaintenance: true }, { nightlyMaintenance: false }, async () => {
      // 22 November 2026 is a Sunday; 00:30 in Santiago.
      await at('2026-11-22T03:30:00Z', async () => {
        expect(await failureOf(() => connect(entryOf('works')))).toMatchObject({ code: 'source.maintenance' });
      });
      await at('2026-11-22T04:30:00Z', () => inSession(entryOf('works'), async () => {}));
    });
  });

  test('more than 30 calls a minute', async () => {
    const change = { requestsPerMinute: 30, retryAfterSeconds: 60 };
    await withKnobs(change, { requestsPerMinute: 0, retryAfterSeconds: 1 }, async () => {
      const failure = await failureOf(() => pull(entryOf('large'), 'transfers', LAST_MONTH));
      expect(failure).toMatchObject({ code: 'source.rate_limited', retryAfterMs: 60_000 });
      // The manifest's pace stays below the portal's limit.
      const { pace } = source.manifest;
      await pull(entryOf('rows_arrive'), 'transfers', LAST_MONTH, createAsk(), { pace });
    });
  });
});

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const against = async (answer: Answer): Promise<unknown> => {
  const server = createServer((request, response) => {
    request.resume();
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const { credentials, metadata } = entryOf('works');
    const own = createIo(`http://127.0.0.1:${port}`, createClock());
    return await failureOf(() => source.connect({ credentials, metadata }, own));
  } finally {
    server.closeAllConnections();
    server.close();
  }
};

describe('a login that is no login', () => {
  const json = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => {
    return (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
  };
  const html = (status: number): Answer => {
    return (_request, response) => {
      response.writeHead(status, { 'content-type': 'text/html' });
      response.end('<html>secreto 12345678</html>');
    };
  };

  test.each<[string, Answer, object]>([
    ['wrong clave', json(401, { codigo: 'CLAVE_INCORRECTA' }), { code: 'source.invalid_credentials' }],
    ['locked', json(423, { codigo: 'USUARIO_BLOQUEADO' }), { code: 'source.account_locked' }],
    ['another 401', json(401, { codigo: 'OTRA' }), { code: 'source.blocked' }],
    ['another 403', json(403, { codigo: 'OTRA' }), { code: 'source.blocked' }],
    ['429', json(429, {}), { code: 'source.rate_limited', retryAfterMs: 60_000 }],
    ['429 with a wait', json(429, {}, { 'retry-after': '7' }), { code: 'source.rate_limited', retryAfterMs: 7_000 }],
    ['fault', json(500, { codigo: 'INTERMITENCIA' }), { code: 'source.unavailable' }],
    ['fault page', html(500), { code: 'source.unavailable' }],
    ['edge', html(403), { code: 'source.blocked' }],
    ['a page', html(200), { code: 'source.unexpected_response' }],
    ['OK without cookies', json(200, { estado: 'OK' }), { code: 'source.unexpected_response' }],
    ['another state', json(200, { estado: 'QUIZAS' }), { code: 'source.unexpected_response' }],
    ['no JSON', json(200, '{"estado":'), { code: 'source.unexpected_response' }],
    ['a challenge without kind', json(200, { estado: 'DESAFIO', desafio: {} }), { code: 'source.unexpected_response' }],
    [
      'maintenance without end',
      json(503, { codigo: 'MANTENCION' }),
      { code: 'source.maintenance', retryAfterMs: undefined },
    ],
    [
      'maintenance for hours',
      json(503, { codigo: 'MANTENCION', hasta: '20261121 06:00:00' }),
      { code: 'source.maintenance', retryAfterMs: undefined },
    ],
    [
      'maintenance for half an hour',
      json(503, { codigo: 'MANTENCION', hasta: '20261120 12:30:00' }),
      { code: 'source.maintenance', retryAfterMs: 1_800_000 },
    ],
  ])('%s', async (_what, answer, expected) => {
    const failure = await against(answer);
    expect(failure).toMatchObject({ name: 'SourceError', ...expected });
    expect((failure as Error).message).not.toMatch(/secreto|clave-de-prueba|\d{7}/);
  });
});
