/** Closed statements that cannot be verified now: their movements are stored, delete nothing, and a notice says why. */
import { describe, expect, test } from 'vitest';
import type { RawAnswer } from '#shared/sources/source.ts';
import { addMonths, findLastDay } from '#shared/values/dates.ts';
import {
  type KnownAccounts,
  learnAccounts,
  NOTHING_KNOWN,
  type StatementHeads,
} from '#shared/values/known-accounts.ts';
import { accountKey } from '#shared/values/statements.ts';
import { FORMS, type Form, fileOf, type Shown } from './closed-forms.ts';

const PERIOD = '2026-09';
const BEFORE = addMonths(PERIOD, -1);
const AFTER = addMonths(PERIOD, 1);
const THREE = FORMS.find(({ source }) => source.manifest.code === 'bankthree')!;

const monthOf = (period: string, opening: number, change: Partial<Shown> = {}): Shown => ({
  period,
  from: `${period}-01`,
  to: findLastDay(period),
  isOpen: false,
  opening,
  lines: [{ day: `${period}-14`, document: 7, pesos: 500 }],
  today: '2026-10-20',
  ...change,
});

const RIGHT = monthOf(PERIOD, 1_000);

const headsOf = (change: Partial<StatementHeads>): StatementHeads => ({
  opening: '0',
  closing: '0',
  isOpen: false,
  rows: 1,
  ...change,
});

const knowing = (account: string, months: Record<string, Partial<StatementHeads>>): KnownAccounts =>
  Object.entries(months).reduce(
    (known, [period, change]) => learnAccounts(known, period, [{ account, statement: headsOf(change) }]),
    NOTHING_KNOWN,
  );

const isBeside = ({ key }: RawAnswer): boolean => key.startsWith('beside/');

const read = (form: Form, answers: RawAnswer[], known = NOTHING_KNOWN) => {
  const { credentials, source } = form;
  const items = [...source.parse({ scope: 'movements', period: PERIOD, credentials, known }, answers)];
  return {
    provisional: items.flatMap((item) => ('row' in item ? [item.row.row.provisional] : [])),
    currencies: items.flatMap((item) => ('row' in item ? [item.row.row.currency] : [])),
    closed: items.flatMap((item) => ('closed' in item ? [item.closed] : [])),
    doubtful: items.flatMap((item) => ('doubtful' in item ? [item.doubtful] : [])),
    notices: items.flatMap((item) => ('notice' in item ? [item.notice] : [])),
    heads: items.flatMap((item) => ('account' in item && item.account.statement ? [item.account.statement] : [])),
  };
};

const neighbours = [monthOf(BEFORE, 500), monthOf(AFTER, 1_500, { isOpen: true })] as const;

describe.each(FORMS.map((form) => [form.source.manifest.code, form] as const))('%s', (code, form) => {
  const alone = form.answers(RIGHT, ...neighbours).filter((answer) => !isBeside(answer));

  test.each([
    ['the month before', { [BEFORE]: { closing: '999' } }, BEFORE],
    ['the month after', { [AFTER]: { opening: '999', isOpen: true } }, AFTER],
  ])('%s is stored otherwise, and the bank does not show that month now', (_what, months, odd) => {
    const { provisional, closed, doubtful, notices, heads } = read(form, alone, knowing(form.account, months));
    expect([provisional, closed, doubtful]).toEqual([[true], [], [form.account]]);
    expect(heads).toMatchObject([{ isOpen: true }]);
    expect(notices).toEqual([
      {
        code: `${code}.movements.statement_doubtful`,
        message: `${PERIOD}: the closed statement of an account contradicts the stored data of ${odd}. Its movements are provisional and change no stored data. A later sync that shows the same is believed.`,
        params: { period: PERIOD, periods: [odd] },
      },
    ]);
  });

  test('it is not in doubt any more once a later reading has confirmed it', () => {
    const known = knowing(form.account, { [BEFORE]: { closing: '999' } });
    const trusted = new Set([accountKey(form.account)]);
    const { provisional, closed, doubtful, heads } = read(form, alone, { ...known, trusted });
    expect([provisional, closed, doubtful]).toEqual([[false], [form.account], []]);
    expect(heads).toMatchObject([{ isOpen: false }]);
  });

  test.each([
    ['opening', { opening: '999', closing: '1500' }],
    ['closing', { opening: '1000', closing: '999' }],
  ])('the same month was stored with another %s balance, and the bank shows no neighbour now', (_what, stored) => {
    const known = knowing(form.account, { [PERIOD]: stored });
    expect(read(form, alone, known)).toMatchObject({ closed: [], doubtful: [form.account] });
  });

  test('the bank itself contradicts it now: refused', () => {
    const answers = form.answers(RIGHT, monthOf(BEFORE, 499), neighbours[1]);
    expect(() => read(form, answers)).toThrow(/month before/);
  });

  test('the bank confirms it now, against a stored neighbour: it is in doubt until a later reading', () => {
    const known = knowing(form.account, { [BEFORE]: { closing: '999' } });
    const { provisional, closed, doubtful, notices } = read(form, form.answers(RIGHT, ...neighbours), known);
    expect([provisional, closed, doubtful]).toEqual([[true], [], [form.account]]);
    expect(notices.map((notice) => notice.code)).toEqual(
      ['stored_differs', 'statement_doubtful'].map((word) => `${code}.movements.${word}`),
    );
  });

  test('the bank confirms it now, and only the same month was stored otherwise: it is accepted', () => {
    const known = knowing(form.account, { [PERIOD]: { opening: '999', closing: '998' } });
    const { closed, doubtful } = read(form, form.answers(RIGHT, ...neighbours), known);
    expect([closed, doubtful]).toEqual([[form.account], []]);
  });
});

test('bankone: a doubtful one names no currency, and its movements are in that of the account, as open ones', () => {
  const form = FORMS.find(({ source }) => source.manifest.code === 'bankone')!;
  const [accounts, ...rest] = form.answers(RIGHT, ...neighbours).filter((answer) => !isBeside(answer));
  const body = Buffer.from(Buffer.from(accounts!.body).toString().replace('"CLP"', '"USD"'));
  const months = { [BEFORE]: { closing: '999' }, [PERIOD]: { isOpen: true } };
  const { currencies, notices } = read(form, [{ ...accounts!, body }, ...rest], knowing(form.account, months));
  expect(currencies).toEqual(['USD']);
  expect(notices.map(({ code }) => code)).toEqual(['bankone.movements.statement_doubtful']);
});

describe('bankthree: a statement of a part of its month', () => {
  const asked = (account: string, today = RIGHT.today) => ({ page: 'statement', account, fecha: '202609', today });
  const answerOf = (shown: Shown, request = asked(THREE.account, shown.today)): RawAnswer => ({
    ...THREE.answers(shown, ...neighbours)[0]!,
    request,
  });
  const OTHER = '000000098765432';
  const other: RawAnswer = { ...answerOf(RIGHT, asked(OTHER)), key: 'statement/2/closed', body: fileOf(RIGHT, OTHER) };

  test.each([
    ['opened in it', { from: `${PERIOD}-14`, opening: 0 }, `${PERIOD}-14 to ${PERIOD}-30`],
    ['closed in it', { to: `${PERIOD}-14` }, `${PERIOD}-01 to ${PERIOD}-14`],
  ])('an account %s is stored as provisional; the other account is closed', (_what, change, span) => {
    const { provisional, closed, doubtful, notices } = read(THREE, [answerOf({ ...RIGHT, ...change }), other]);
    expect([provisional, closed, doubtful]).toEqual([[true, false], [OTHER], [THREE.account]]);
    expect(notices).toEqual([
      {
        code: 'bankthree.movements.statement_partial',
        message: `${PERIOD}: the closed statement of an account goes from ${span}, not over the whole month. Its movements are provisional, and change nothing that is stored.`,
        params: { period: PERIOD },
      },
    ]);
  });

  test('whose account continues after it, by the bank of now: refused', () => {
    const cut = { ...RIGHT, to: `${PERIOD}-14` };
    expect(() => read(THREE, THREE.answers(cut, neighbours[0], monthOf(AFTER, 9_999)))).toThrow(/month after/);
  });

  test('an open one of the month after, which crosses its end, shows the opening balance of that month', () => {
    const [before, after] = neighbours;
    const longer = (opening: number) => ({ ...after, opening, to: `${addMonths(AFTER, 1)}-02` });
    expect(read(THREE, THREE.answers(RIGHT, before, longer(1_500))).closed).toEqual([THREE.account]);
    expect(() => read(THREE, THREE.answers(RIGHT, before, longer(9_999)))).toThrow(/month after/);
  });

  test.each([
    ['a month that is not over', { today: `${PERIOD}-20`, to: `${PERIOD}-19` }, /state is H/],
    ['days of two months', { from: `${BEFORE}-20` }, /first day/],
  ])('%s: refused', (_what, change, why) => {
    expect(() => read(THREE, [answerOf({ ...RIGHT, ...change })])).toThrow(why);
  });

  test('an open statement over the end of a month shows neither its opening balance nor the rows of the other', () => {
    const lines = [
      { day: `${BEFORE}-30`, document: 6, pesos: 300 },
      { day: `${PERIOD}-02`, document: 7, pesos: 500 },
    ];
    const shown = { ...RIGHT, isOpen: true, from: `${BEFORE}-20`, to: `${PERIOD}-10`, lines };
    const { heads } = read(THREE, [answerOf(shown, { ...asked(THREE.account), fecha: 'ACTUAL' })]);
    expect(heads).toEqual([{ opening: null, closing: '1800', isOpen: true, rows: 1 }]);
    const older = { ...shown, lines: lines.slice(0, 1) };
    const known = knowing(THREE.account, { [PERIOD]: { isOpen: true, rows: 3 } });
    const { notices } = read(THREE, [answerOf(older, { ...asked(THREE.account), fecha: 'ACTUAL' })], known);
    expect(notices.map(({ code }) => code)).toEqual(['bankthree.movements.nothing_shown']);
  });
});
