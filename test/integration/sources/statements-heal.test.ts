/**
 * A bank shows a month wrongly, and later correctly. The first reading stores errors that it cannot detect; after one
 * right sync the rows equal those of a connection that never saw the wrong month.
 */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { NOT_AVAILABLE } from '#shared/sources/bankthree/sandbox/pages.ts';
import type { SyncRun } from '#shared/sync/run.rules.ts';
import { noticeCode } from '#shared/values/notice-code.ts';
import { type Lie, type Told, whileLying } from '#test/fakes/lying-wire.ts';
import { sampled } from '#test/helpers/effort.ts';
import { loadSources, type SourceFolder } from '#test/helpers/source-folders.ts';
import { type Story, startStory } from '#test/helpers/source-story.ts';
import { readerOf } from '#test/helpers/source-totals.ts';
import { type SourceWorld, startSourceWorld } from '#test/helpers/source-world.ts';
import { STAGE_TIMEOUT_MS } from './stage.ts';

vi.mock('#shared/transport/connections.ts', () => import('#test/fakes/lying-wire.ts'));

const CLOSED = '2026-10';
const RUNNING = '2026-11';

interface Bank {
  /** A closed statement with the first part of its lines, consistent in itself. */
  cut(share: number, month?: string): Lie;
  /** The current month, shown as closed. */
  closesEarly: Lie;
  /** The previous month is not shown. */
  hides: Lie;
}

const pesos = (cell: string): bigint => BigInt(cell.trim().replace(',', ''));
const cell = (hundredths: bigint): string => {
  const digits = (hundredths < 0n ? -hundredths : hundredths).toString().padStart(3, '0');
  return `${hundredths < 0n ? '-' : ''}${digits.slice(0, -2)},${digits.slice(-2)}`.padStart(18);
};

/** A statement file with only the first lines; its header and opening balance are unchanged. */
const cutFile = (text: string, share: number): string => {
  const lines = text.trimEnd().split('\r\n');
  const all = lines.slice(1, -1);
  const kept = all.slice(0, Math.floor(all.length * share));
  const sum = (kind: string) =>
    kept.filter((line) => line[70] === kind).reduce((total, line) => total + pesos(line.slice(72, 90)), 0n);
  const [opening, charges, credits] = [pesos(lines.at(-1)!.slice(8, 26)), sum('C'), sum('A')];
  const totals = [opening, charges, credits, opening + credits - charges].map(cell).join('');
  const trailer = `3${String(kept.length).padStart(7, '0')}${totals}${' '.repeat(29)}`;
  return `${[lines[0], ...kept, trailer].join('\r\n')}\r\n`;
};

interface Page {
  saldoInicial: string;
  saldoFinal: string;
  lineas: { saldo: string }[];
}

const cutPage = (text: string, share: number): string => {
  const page = JSON.parse(Buffer.from(text, 'latin1').toString('utf8')) as Page;
  const lineas = page.lineas.slice(0, Math.floor(page.lineas.length * share));
  const cut = { ...page, lineas, saldoFinal: lineas.at(-1)?.saldo ?? page.saldoInicial };
  return Buffer.from(JSON.stringify(cut)).toString('latin1');
};

const ok = (body: unknown): Told => ({ status: 200, body: JSON.stringify(body) });

const BANKS: Readonly<Record<string, Bank>> = {
  bankone: {
    cut:
      (share) =>
      (path, _, { status, body }) =>
        path.endsWith('/cartolas/detalle') ? { status, body: cutPage(body, share) } : undefined,
    closesEarly: (path, asked, { body }) => {
      if (path.endsWith('/getcartola')) return { status: 422, body: '{"codigo":"PERIODO_CERRADO"}' };
      const list = path.endsWith('/cartolas/historicas') ? JSON.parse(body) : null;
      if (list) return ok({ ...list, cartolas: [{ folio: '99999', periodo: RUNNING }, ...list.cartolas] });
      const { folio, numeroCuenta } = path.endsWith('/cartolas/detalle') ? JSON.parse(asked) : {};
      if (folio !== '99999') return undefined;
      const heads = { saldoInicial: '0', saldoFinal: '0', lineas: [], totalPaginas: 1 };
      return ok({ numeroCuenta, folio, periodo: RUNNING, ...heads });
    },
    hides: (path, _, { body }) => {
      if (!path.endsWith('/cartolas/historicas')) return undefined;
      const list = JSON.parse(body) as { cartolas: { periodo: string }[] };
      return ok({ ...list, cartolas: list.cartolas.filter(({ periodo }) => periodo !== CLOSED) });
    },
  },
  bankthree: {
    cut:
      (share, month = CLOSED) =>
      (_, asked, { status, body }) =>
        asked.includes(`fecha=${month.replace('-', '')}`) ? { status, body: cutFile(body, share) } : undefined,
    closesEarly: (_, asked, { status, body }) =>
      asked.includes('fecha=ACTUAL') ? { status, body: `${body.slice(0, 99)}H${body.slice(100)}` } : undefined,
    hides: (_, asked, { status }) =>
      asked.includes(`fecha=${CLOSED.replace('-', '')}`) ? { status, body: NOT_AVAILABLE } : undefined,
  },
};

const folders = (await loadSources()).filter(({ code }) => code in BANKS);

describe.each(sampled(folders, 2).map((folder) => [folder.code, folder] as const))('%s', (code, folder) => {
  const bank = BANKS[code]!;
  const scope = folder.scopes.find(({ name }) => name === 'movements')!;
  let world: SourceWorld;
  let story: Story;
  let right: unknown;

  const sync = async (connection: Connection, periods: string[]): Promise<SyncRun['outcomes'][string]> => {
    const run = await world.start(connection, { periods });
    await world.drain();
    return (await world.look(run)).run.outcomes.movements!;
  };
  const rowsOf = async (connection: Connection): Promise<unknown> => {
    const rows = await (await readerOf(connection)).rows(scope, '');
    return rows.map(({ id: _, ...row }) => JSON.stringify(row)).sort();
  };

  beforeAll(async () => {
    world = await startSourceWorld([folder], { table: 'quick' });
    story = await startStory(folder as SourceFolder, folder.credentials[0]!);
    const fresh = await world.connect(story);
    expect(await sync(fresh, [CLOSED, RUNNING])).toMatchObject({ status: 'ok', notices: [] });
    right = await rowsOf(fresh);
  }, STAGE_TIMEOUT_MS);
  afterAll(async () => {
    await story.close();
    await world.stop();
  });

  test.each([
    ['half a month', 0.5],
    ['an empty month', 0],
  ])('%s as a first reading is stored; one right sync repairs it', { timeout: STAGE_TIMEOUT_MS }, async (_, share) => {
    const connection = await world.connect(story);
    const lied = await whileLying(bank.cut(share), () => sync(connection, [CLOSED]));
    expect(lied).toMatchObject({ status: 'ok' });
    expect(await rowsOf(connection)).not.toEqual(right);
    expect(await sync(connection, [CLOSED, RUNNING])).toMatchObject({ status: 'ok' });
    expect(await rowsOf(connection)).toEqual(right);
    expect(await sync(connection, [CLOSED, RUNNING])).toMatchObject({ status: 'ok', notices: [], recordsUpdated: 0 });
  });

  test.each([
    ['half a month', bank.cut(0.5), CLOSED],
    ['an empty month', bank.cut(0), CLOSED],
    ['the running month as closed', bank.closesEarly, RUNNING],
  ])(
    '%s that contradicts what is stored is refused, and no row changes',
    { timeout: STAGE_TIMEOUT_MS },
    async (_, lie, month) => {
      const connection = await world.connect(story);
      await sync(connection, [CLOSED, RUNNING]);
      const lied = await whileLying(lie, () => sync(connection, [CLOSED, RUNNING]));
      expect(lied).toMatchObject({ status: 'partial', errorCode: 'source.unexpected_response' });
      expect(lied.periods).not.toContain(month);
      expect(await rowsOf(connection)).toEqual(right);
      expect(await sync(connection, [CLOSED, RUNNING])).toMatchObject({ status: 'ok', notices: [], recordsUpdated: 0 });
      expect(await rowsOf(connection)).toEqual(right);
    },
  );

  test('a stored error in the month before leaves a right month in doubt, until the month before is read', {
    timeout: STAGE_TIMEOUT_MS,
  }, async () => {
    const connection = await world.connect(story);
    const earlier: Lie = (path, asked, answer) =>
      bank.cut(0.5)(path, asked.replace('fecha=202609', 'fecha=202610'), answer);
    expect(await whileLying(earlier, () => sync(connection, ['2026-09']))).toMatchObject({ status: 'ok' });
    const doubted = ['stored_differs', 'statement_doubtful', 'balances_broken'].map(
      (word) => `${code}.movements.${word}`,
    );
    const { status, notices } = await sync(connection, [CLOSED, RUNNING]);
    expect([status, notices.map((notice) => notice.code)]).toEqual(['ok', expect.arrayContaining(doubted.slice(0, 2))]);
    expect(notices.every((notice) => doubted.includes(notice.code))).toBe(true);
    expect(await sync(connection, ['2026-09'])).toMatchObject({ status: 'ok' });
    expect(await sync(connection, ['2026-09', CLOSED, RUNNING])).toMatchObject({ status: 'ok' });
    expect(await sync(connection, ['2026-09', CLOSED, RUNNING])).toMatchObject({ status: 'ok', notices: [] });
  });
});

const DAY_MS = 86_400_000;

describe.each(sampled(folders.toReversed(), 2).map((folder) => [folder.code, folder] as const))(
  '%s: a month that has just closed',
  (code, folder) => {
    const bank = BANKS[code]!;
    const scope = folder.scopes.find(({ name }) => name === 'movements')!;
    let world: SourceWorld;
    let story: Story;

    const sync = async (connection: Connection, periods: string[]) => {
      const run = await world.start(connection, { periods });
      await world.drain();
      return (await world.look(run)).run.outcomes.movements!;
    };
    const rowsOf = async (connection: Connection) => {
      const rows = await (await readerOf(connection)).rows(scope, `period=${RUNNING}`);
      return rows.map(({ id: _, ...row }) => JSON.stringify(row)).sort();
    };

    beforeEach(async () => {
      world = await startSourceWorld([folder], { table: 'quick', startsAt: '2026-11-27T12:00:00.000Z' });
      story = await startStory(folder as SourceFolder, folder.credentials[0]!);
    }, STAGE_TIMEOUT_MS);
    afterEach(async () => {
      await story.close();
      await world.stop();
    });

    test('half of it deletes nothing that was provisional', { timeout: STAGE_TIMEOUT_MS }, async () => {
      const connection = await world.connect(story);
      await sync(connection, [CLOSED, RUNNING]);
      const provisional = await rowsOf(connection);
      world.advance(7 * DAY_MS);
      const both = [RUNNING, '2026-12'];
      const lied = await whileLying(bank.cut(0.5, RUNNING), () => sync(connection, both));
      expect(lied).toMatchObject({ status: 'partial', errorCode: 'source.unexpected_response' });
      expect(await rowsOf(connection)).toEqual(provisional);
      expect(await sync(connection, both)).toMatchObject({ status: 'ok' });
      const fresh = await world.connect(story);
      await sync(fresh, both);
      expect(await rowsOf(connection)).toEqual(await rowsOf(fresh));
    });

    test('next to a stored error that the bank does not show now it changes no row', {
      timeout: STAGE_TIMEOUT_MS,
    }, async () => {
      const connection = await world.connect(story);
      expect(await whileLying(bank.cut(0.5), () => sync(connection, [CLOSED]))).toMatchObject({ status: 'ok' });
      await sync(connection, [RUNNING]);
      const provisional = await rowsOf(connection);
      world.advance(7 * DAY_MS);
      const { status, notices } = await whileLying(bank.hides, () => sync(connection, [RUNNING]));
      const codes = notices.map((notice) => notice.code);
      expect([status, codes]).toEqual(['ok', expect.arrayContaining([`${code}.movements.statement_doubtful`])]);
      const doubted = await rowsOf(connection);
      expect(doubted.filter((row) => provisional.includes(row))).toEqual(provisional);
      expect(await sync(connection, [CLOSED, RUNNING])).toMatchObject({ status: 'ok' });
      const fresh = await world.connect(story);
      await sync(fresh, [RUNNING]);
      const right = await rowsOf(fresh);
      expect(await rowsOf(connection)).toEqual(right);
      // If the open statement of an account showed a movement differently, no row is added to that account.
      expect(codes.includes(noticeCode(`${code}.movements`, 'doubtful_rows_ignored'))).toBe(
        doubted.length < right.length,
      );
    });
  },
);
