/** The rows read equal what the institution holds, after any fault. */

import { describe, expect, test } from 'vitest';
import { isIssuedByBuyer, type RcvRow } from '#shared/scopes/tax-rcv.ts';
import { SourceError } from '#shared/sources/source.ts';
import { source } from '#shared/sources/tax/source.ts';
import { IS_WHOLE } from '#test/helpers/effort.ts';
import { createAsk, type KeptAsk } from './ask.ts';
import {
  failureOf,
  inSession,
  io,
  ioWith,
  knobs,
  LARGE_MS,
  LAST_MONTH,
  labelled,
  PERIOD,
  parseAll,
  pull,
  requestOf,
  sandbox,
  withKnobs,
} from './tax-stage.ts';
import { tallyOf } from './tax-tally.ts';

describe('totals', () => {
  // Takes seconds only because of its size: files of few documents are read below.
  test.runIf(IS_WHOLE)('20,000 documents come by file, complete, in both charsets', { timeout: LARGE_MS }, async () => {
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

  test('files and direct answers give the same for every field that files carry', async () => {
    const entry = labelled('works: small company');
    const direct = await pull(entry, LAST_MONTH);
    let byFile = direct;
    await withKnobs({ directLimit: 0 }, { directLimit: 500 }, async () => {
      byFile = await pull(entry, LAST_MONTH);
    });
    expect([...byFile.asked.kept.keys()]).toContain('purchases/REGISTRO/33/file');
    const inOrder = (rows: RcvRow[]) => rows.toSorted((a, b) => Number(a.folio) - Number(b.folio));
    const [files, answers] = [inOrder(byFile.rows), inOrder(direct.rows)];
    expect(files).toHaveLength(answers.length);
    const carried = (row: RcvRow) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
    for (const [at, row] of files.entries()) expect(answers[at]).toMatchObject(carried(row));
    // Fields that a file does not carry stay undefined, so that stored values remain.
    for (const row of files) expect([row.status, row.source_document_id]).toEqual([undefined, undefined]);
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
    await inSession(entry, (session) => source.pull(requestOf(entry), { session, ask, io: io(), progress: () => {} }));
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
    await inSession(entry, (session) => source.pull(requestOf(entry), { session, ask, io: io(), progress: () => {} }));
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
    const entry = labelled('works: small company');
    const own = entry.credentials.rut;
    const rows: RcvRow[] = [];
    for (const period of ['2026-05', '2026-06', '2026-07']) rows.push(...(await pull(entry, period)).rows);
    const invoices = rows.filter(isIssuedByBuyer);
    expect(new Set(invoices.map(({ direction }) => direction)).size).toBe(2);
    for (const { direction, issuer_rut, receiver_rut } of invoices) {
      expect(direction === 'received' ? issuer_rut : receiver_rut).toBe(own);
    }
  });
});

describe('going on after a stop', () => {
  test('stored answers are not requested again', async () => {
    const entry = labelled('works: small company');
    const first = await pull(entry);
    const again = createAsk(first.asked.kept);
    const second = await pull(entry, PERIOD, again);
    expect(again.fetched).toEqual([]);
    expect(second.rows).toEqual(first.rows);
  });

  test('each temporary fault leaves the stored answers, and the next attempt completes it', async () => {
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

  test('a session continues in another worker as plain JSON', async () => {
    const entry = labelled('works: small company');
    const asked = createAsk();
    await inSession(entry, (session) =>
      source.pull(requestOf(entry), {
        session: JSON.parse(JSON.stringify(session)),
        ask: asked.ask,
        io: io(),
        progress: () => {},
      }),
    );
    expect(asked.kept.size).toBeGreaterThan(5);
    expect(sandbox.openSessions(entry.credentials.rut)).toBe(0);
  });

  test('a stored request holds what the parser needs and nothing else', async () => {
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
    const stopped = ioWith(controller.signal);
    controller.abort(new Error('out of time'));
    const failure = await failureOf(() =>
      inSession(entry, (session) =>
        source.pull(requestOf(entry), { session, ask: createAsk().ask, io: stopped, progress: () => {} }),
      ),
    );
    expect(failure).toMatchObject({ message: 'out of time' });
    expect(failure).not.toBeInstanceOf(SourceError);
  });
});
