/** The adapter against the simulated institution over real HTTP: every row of the credential table, and the totals. */
import Big from 'big.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUYER_ISSUES, type RcvRow, taxRcv } from '#shared/scopes/tax-rcv.ts';
import { type JsonObject, type Notice, SessionExpired, SourceError } from '#shared/sources/source.ts';
import { SANDBOX_CREDENTIALS, type SandboxCredential } from '#shared/sources/tax/sandbox/credentials.ts';
import type { Ledger } from '#shared/sources/tax/sandbox/ledger.ts';
import { createTaxSandbox, type TaxSandbox } from '#shared/sources/tax/sandbox/server.ts';
import { source } from '#shared/sources/tax/source.ts';
import { createAsk, createClock, createIo, type KeptAsk, type TestClock } from './ask.ts';

const PERIOD = '2026-11';
const LAST_MONTH = '2026-10';

let sandbox: TaxSandbox;
let url: string;
const clock: TestClock = createClock();

beforeAll(async () => {
  sandbox = createTaxSandbox({ now: () => clock.nowMs });
  url = await sandbox.listen(0);
});
afterAll(() => sandbox.close());

const labelled = (label: string): SandboxCredential => {
  const found = SANDBOX_CREDENTIALS.find((entry) => entry.label.startsWith(label));
  if (!found) throw new Error(`no credential "${label}"`);
  return found;
};

const knobs = async (change: object): Promise<number> => {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${url}/_sandbox/knobs`, { method: 'POST', headers, body: JSON.stringify(change) })).status;
};

/** Knobs are put back whatever happens: tests run in any order. */
const withKnobs = async (change: object, back: object, work: () => Promise<void>): Promise<void> => {
  expect(await knobs(change)).toBe(200);
  try {
    await work();
  } finally {
    await knobs(back);
  }
};

const io = (settings = {}) => createIo(url, clock, settings);
const connect = ({ credentials, metadata }: SandboxCredential) => source.connect({ credentials, metadata }, io());

/** One session, always left again: a forgotten one keeps its place. */
const inSession = async <Result>(
  entry: SandboxCredential,
  work: (session: JsonObject) => Promise<Result>,
): Promise<Result> => {
  const session = await connect(entry);
  try {
    return await work(session);
  } finally {
    await source.disconnect(session, io());
  }
};

const requestOf = ({ credentials, metadata }: SandboxCredential, period = PERIOD) => ({
  scope: 'rcv',
  period,
  credentials,
  metadata,
  input: {},
});

interface Pulled {
  rows: RcvRow[];
  notices: Notice[];
  asked: KeptAsk;
  messages: string[];
}

const parseAll = (credentials: SandboxCredential['credentials'], asked: KeptAsk, period: string) => {
  const rows: RcvRow[] = [];
  const notices: Notice[] = [];
  for (const item of source.parse({ scope: 'rcv', period, credentials }, [...asked.kept.values()])) {
    if ('notice' in item) notices.push(item.notice);
    else rows.push(item.row.row as RcvRow);
  }
  return { rows, notices };
};

const pull = async (entry: SandboxCredential, period = PERIOD, asked = createAsk(), settings = {}): Promise<Pulled> => {
  const messages: string[] = [];
  await inSession(entry, (session) =>
    source.pull(requestOf(entry, period), session, asked.ask, io(settings), (message) => messages.push(message)),
  );
  return { ...parseAll(entry.credentials, asked, period), asked, messages };
};

const failureOf = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    await work();
  } catch (error) {
    return error;
  }
  return undefined;
};

/** The last row of a document wins, as in the engine. */
const tallyOf = (rows: RcvRow[]): Ledger['rcv'][string] => {
  const documents = new Map(rows.map((row) => [JSON.stringify(taxRcv.naturalKey(row)), row]));
  const tally = (list: RcvRow[]) => {
    const sum = (field: 'net_amount' | 'exempt_amount' | 'vat_amount' | 'total_amount') =>
      list.reduce((total, row) => total.plus(row[field] ?? 0), Big(0)).toFixed();
    return {
      count: list.length,
      sums: {
        net_amount: sum('net_amount'),
        exempt_amount: sum('exempt_amount'),
        vat_amount: sum('vat_amount'),
        total_amount: sum('total_amount'),
      },
    };
  };
  const list = [...documents.values()];
  const books = Object.groupBy(list, ({ direction, estado }) => `${direction}.${estado}`);
  return {
    ...tally(list),
    by: Object.fromEntries(Object.entries(books).map(([book, docs]) => [book, tally(docs ?? [])])),
  };
};

describe('every row of the credential table', () => {
  test.each(SANDBOX_CREDENTIALS.map((entry) => [entry.label, entry] as const))('%s', async (_label, entry) => {
    const { expected, credentials } = entry;
    await knobs({ rut: credentials.rut, reset: true });
    const settings = entry.behaviour === 'slow' ? { callTimeoutMs: 150 } : {};
    const failure = await failureOf(async () => {
      const { rows } = await pull(entry, PERIOD, createAsk(), settings);
      expect(tallyOf(rows)).toEqual(sandbox.ledger(credentials.rut, PERIOD).rcv[PERIOD]);
      for (const row of rows) taxRcv.parsed.parse(row);
    });
    const wanted = expected.connect === 'ok' ? expected.pull : expected.connect;
    if (wanted === 'ok') expect(failure).toBeUndefined();
    else if (wanted === 'session_expired') expect(failure).toBeInstanceOf(SessionExpired);
    else expect(failure).toMatchObject({ name: 'SourceError', code: wanted });
    expect(sandbox.logins(credentials.rut)).toBe(1);
    expect(sandbox.openSessions(credentials.rut)).toBe(0);
    if (failure instanceof Error) {
      expect(failure.message).not.toContain(credentials.password);
      expect(failure.message).not.toMatch(/\d{7}/);
    }
  });
});

describe('totals', () => {
  test('20,000 documents come by file, complete, in both charsets', async () => {
    const entry = labelled('large company');
    const first = await pull(entry, LAST_MONTH);
    expect(tallyOf(first.rows)).toEqual(sandbox.ledger(entry.credentials.rut, LAST_MONTH).rcv[LAST_MONTH]);
    expect(first.rows).toHaveLength(20_000);
    expect(first.asked.fetched).toContain('purchases/REGISTRO/33/file');
    expect(first.messages.at(-1)).toBe('rcv 2026-10: 20,000 of 20,000 documents');
    await withKnobs({ charset: 'iso-8859-1' }, { charset: 'utf-8' }, async () => {
      const second = await pull(entry, LAST_MONTH);
      expect(second.rows).toEqual(first.rows);
      expect(second.rows.some((row) => row.issuer_name?.includes('Ñ'))).toBe(true);
    });
  });

  test('files and direct answers tell the same of every field that files carry', async () => {
    const entry = labelled('works: small company');
    const direct = await pull(entry, LAST_MONTH);
    let byFile = direct;
    await withKnobs({ directLimit: 0 }, { directLimit: 500 }, async () => {
      byFile = await pull(entry, LAST_MONTH);
    });
    expect([...byFile.asked.kept.keys()]).toContain('purchases/REGISTRO/33/file');
    const comparable = (rows: RcvRow[]) =>
      rows
        .map(({ status: _s, source_document_id: _i, referenced_document_type, referenced_folio, ...row }) =>
          row.direction === 'issued' ? { ...row, referenced_document_type, referenced_folio } : row,
        )
        .toSorted((a, b) => Number(a.folio) - Number(b.folio));
    expect(comparable(byFile.rows)).toEqual(comparable(direct.rows));
    expect(byFile.rows.find((row) => row.direction === 'received')).toMatchObject({ source_document_id: undefined });
  });

  test('the current month has pending documents, which move to the register', async () => {
    const entry = labelled('works: unknown extra fields');
    const { rut } = entry.credentials;
    const before = sandbox.ledger(rut, PERIOD).rcv[PERIOD]!.by;
    expect(before['received.pendiente']!.count).toBeGreaterThan(5);
    expect(await knobs({ rut, period: PERIOD, move: 4 })).toBe(200);
    const { rows } = await pull(entry);
    const after = tallyOf(rows).by;
    expect(after['received.pendiente']!.count).toBe(before['received.pendiente']!.count - 4);
    expect(after['received.registro']!.count).toBe(before['received.registro']!.count + 4);
  });

  test('a document that moved between two answers is read twice, the register last', async () => {
    const entry = labelled('works: numbers as strings');
    const { rut } = entry.credentials;
    const asked = createAsk();
    const ask: KeptAsk['ask'] = async (key, fetch) => {
      const answer = await asked.ask(key, fetch);
      if (key === 'purchases/NO_INCLUIR/summary') await knobs({ rut, period: PERIOD, move: 2 });
      return answer;
    };
    await inSession(entry, (session) => source.pull(requestOf(entry), session, ask, io(), () => {}));
    const { rows } = parseAll(entry.credentials, asked, PERIOD);
    const tally = tallyOf(rows);
    expect(rows).toHaveLength(tally.count + 2);
    expect(tally).toEqual(sandbox.ledger(rut, PERIOD).rcv[PERIOD]);
  });

  test('documents that leave a book while it is read shorten its file without failing it', async () => {
    const entry = labelled('works: data calls refused');
    const { rut } = entry.credentials;
    const asked = createAsk();
    const ask: KeptAsk['ask'] = async (key, fetch) => {
      const answer = await asked.ask(key, fetch);
      if (key === 'purchases/PENDIENTE/summary') await knobs({ rut, period: PERIOD, move: 3 });
      return answer;
    };
    await inSession(entry, (session) => source.pull(requestOf(entry), session, ask, io(), () => {}));
    expect([...asked.kept.keys()]).toContain('purchases/PENDIENTE/33/file');
    const { rows } = parseAll(entry.credentials, asked, PERIOD);
    expect(tallyOf(rows)).toEqual(sandbox.ledger(rut, PERIOD).rcv[PERIOD]);
  });

  test('a period before the register began is one notice and no rows', async () => {
    const { rows, notices, asked } = await pull(labelled('works: small company'), '2017-04');
    expect(rows).toEqual([]);
    expect(notices.map(({ code }) => code)).toEqual(['tax.rcv.out_of_window']);
    expect(asked.fetched).toEqual(['purchases/PENDIENTE/summary']);
  });

  test('a month without documents is no rows and no notice', async () => {
    const { rows, notices } = await pull(labelled('works: small company'), '2019-03');
    expect([rows, notices]).toEqual([[], []]);
  });

  test('purchase invoices are issued by the buyer', async () => {
    const { rows } = await pull(labelled('large company'), '2026-09');
    const { rows: many } = await pull(labelled('large company'), LAST_MONTH);
    const invoices = [...rows, ...many].filter(({ document_type }) => BUYER_ISSUES.has(document_type));
    expect(invoices.length).toBeGreaterThan(10);
    const own = labelled('large company').credentials.rut;
    for (const { direction, issuer_rut, receiver_rut } of invoices) {
      expect(direction === 'received' ? issuer_rut : receiver_rut).toBe(own);
    }
  });
});

describe('going on after a stop', () => {
  test('kept answers are not asked for again', async () => {
    const entry = labelled('works: small company');
    const first = await pull(entry);
    const again = createAsk(first.asked.kept);
    const second = await pull(entry, PERIOD, again);
    expect(again.fetched).toEqual([]);
    expect(second.rows).toEqual(first.rows);
  });

  test('each fault that passes leaves what was kept, and the next try completes it', async () => {
    for (const label of ['rate limited', 'session expires']) {
      const entry = labelled(label);
      await knobs({ rut: entry.credentials.rut, reset: true });
      const asked = createAsk();
      let failures = 0;
      let rows: RcvRow[] | undefined;
      while (rows === undefined && failures < 4) {
        rows = await pull(entry, PERIOD, asked).then(
          (pulled) => pulled.rows,
          () => undefined,
        );
        if (rows === undefined) failures++;
      }
      expect(failures).toBeGreaterThan(0);
      expect(tallyOf(rows!)).toEqual(sandbox.ledger(entry.credentials.rut, PERIOD).rcv[PERIOD]);
    }
  });

  test('a session goes on in another worker as plain JSON', async () => {
    const entry = labelled('works: small company');
    const asked = createAsk();
    await inSession(entry, (session) =>
      source.pull(requestOf(entry), JSON.parse(JSON.stringify(session)), asked.ask, io(), () => {}),
    );
    expect(asked.kept.size).toBeGreaterThan(5);
    expect(sandbox.openSessions(entry.credentials.rut)).toBe(0);
  });

  test('a kept request holds what the parser needs and nothing else', async () => {
    const entry = labelled('works: small company');
    const { asked } = await pull(entry);
    for (const { request: kept } of asked.kept.values()) {
      expect(Object.keys(kept).toSorted()).toEqual([
        'codTipoDoc',
        'estadoContab',
        'method',
        'operacion',
        'ptributario',
      ]);
    }
  });

  test('the engine can stop a pull', async () => {
    const entry = labelled('works: small company');
    const controller = new AbortController();
    const stopped = createIo(url, clock, {}, controller.signal);
    controller.abort(new Error('out of time'));
    const failure = await failureOf(() =>
      inSession(entry, (session) => source.pull(requestOf(entry), session, createAsk().ask, stopped, () => {})),
    );
    expect(failure).toMatchObject({ message: 'out of time' });
    expect(failure).not.toBeInstanceOf(SourceError);
  });
});

describe('sessions', () => {
  test('the cap refuses a fourth session, and a logout frees a place', async () => {
    const entry = labelled('works: a person');
    await inSession(entry, () =>
      inSession(entry, async () => {
        await inSession(entry, async () => {
          expect(await failureOf(() => connect(entry))).toMatchObject({ code: 'source.session_limit' });
        });
        await inSession(entry, async () => {});
      }),
    );
    expect(sandbox.openSessions(entry.credentials.rut)).toBe(0);
  });

  test('a logout of a session that is gone, or of an institution that is gone, is no error', async () => {
    await inSession(labelled('works: small company'), async (session) => {
      await knobs({ expireSessions: true });
      await source.disconnect(session, createIo('http://127.0.0.1:1', clock));
    });
    await source.disconnect({}, io());
  });

  test.each(['Path=/; Domain=.sii.cl; Secure', 'Path=/', '', 'Path=/; HttpOnly; SameSite=Lax'])(
    'cookies set with "%s" work over a base URL',
    async (cookieAttributes) => {
      for (const loginRedirects of [false, true]) {
        const usual = { cookieAttributes: 'Path=/; Domain=.sii.cl; Secure', loginRedirects: false };
        await withKnobs({ cookieAttributes, loginRedirects }, usual, async () => {
          const { rows } = await pull(labelled('works: small company'), '2026-08');
          expect(rows.length).toBeGreaterThan(50);
        });
      }
    },
  );
});
