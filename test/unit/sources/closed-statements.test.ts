/**
 * Closed statements in both banks' formats, generated, each with one error: none of them deletes a stored row. A right
 * statement replaces exactly its account and month.
 */
import { describe, expect, test } from 'vitest';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import { SourceError } from '#shared/sources/source.ts';
import { addMonths, findLastDay } from '#shared/values/dates.ts';
import { type KnownAccounts, learnAccounts, NOTHING_KNOWN } from '#shared/values/known-accounts.ts';
import { replacedRows } from '#shared/values/statements.ts';
import { runs } from '#test/helpers/effort.ts';
import { type Random, randomFrom } from '#test/helpers/random.ts';
import { FORMS, type Form, type Line, type Shown } from './closed-forms.ts';

const PERIOD = '2026-09';
const LIES_EACH = runs(1_000);

const linesOf = (random: Random, period: string, count: number): Line[] =>
  Array.from({ length: count }, () => random.int(1, 28))
    .toSorted((a, b) => a - b)
    .map((day) => ({
      day: `${period}-${String(day).padStart(2, '0')}`,
      document: random.int(1, 9_999_999),
      // Whole pesos, odd numbers: the sum of two lines is hardly ever zero.
      pesos: (random.int(1, 2_000_000) * 2 + 1) * (random.chance(0.5) ? 1 : -1),
    }));

const closingOf = ({ opening, lines }: Pick<Shown, 'opening' | 'lines'>): number =>
  lines.reduce((sum, { pesos }) => sum + pesos, opening);

const monthOf = (period: string, opening: number, lines: Line[], today: string): Shown => ({
  period,
  from: `${period}-01`,
  to: findLastDay(period),
  isOpen: false,
  opening,
  lines,
  today,
});

interface Story {
  before: Shown;
  right: Shown;
  after: Shown;
}

const storyOf = (random: Random): Story => {
  const today = '2026-10-20';
  const month = (period: string, opening: number) =>
    monthOf(period, opening, linesOf(random, period, random.int(4, 12)), today);
  const before = month(addMonths(PERIOD, -1), random.int(0, 90_000_000));
  const right = month(PERIOD, closingOf(before));
  const open = { ...month(addMonths(PERIOD, 1), closingOf(right)), isOpen: true, to: today };
  return { before, right, after: { ...open, lines: open.lines.filter(({ day }) => day <= today) } };
};

/** Each has one error, and is otherwise consistent where possible. */
const LIES: Readonly<Record<string, (story: Story, random: Random) => Shown>> = {
  'lines left out, and the rest adds up': ({ right }, random) => {
    const kept = right.lines.filter(() => random.chance(0.6));
    return { ...right, lines: kept.length === right.lines.length ? kept.slice(1) : kept };
  },
  'the first half of the month': ({ right }) => ({
    ...right,
    lines: right.lines.slice(0, Math.floor(right.lines.length / 2)),
  }),
  'the second half, from the balance before it': ({ right }) => {
    const half = Math.floor(right.lines.length / 2);
    return {
      ...right,
      opening: closingOf({ ...right, lines: right.lines.slice(0, half) }),
      lines: right.lines.slice(half),
    };
  },
  'no lines, with the opening balance': ({ right }) => ({ ...right, lines: [] }),
  'no lines, with the closing balance': ({ right }) => ({ ...right, opening: closingOf(right), lines: [] }),
  'a line twice': ({ right }, random) => {
    const at = random.int(0, right.lines.length - 1);
    return { ...right, lines: right.lines.toSpliced(at, 0, right.lines[at]!) };
  },
  'lines of the month before, under this month': ({ right, before }) => ({
    ...right,
    opening: before.opening,
    lines: before.lines.map((line) => ({ ...line, day: line.day.replace(before.period, right.period) })),
  }),
  'all days of another month': ({ right }, random) => {
    const other = addMonths(right.period, random.chance(0.5) ? -1 : 1);
    return { ...right, lines: right.lines.map((line) => ({ ...line, day: line.day.replace(right.period, other) })) };
  },
  'days in disorder': ({ right }) => ({ ...right, lines: right.lines.toReversed() }),
  'an amount a thousand times as large': ({ right }, random) => {
    const at = random.int(0, right.lines.length - 1);
    return { ...right, lines: right.lines.with(at, { ...right.lines[at]!, pesos: right.lines[at]!.pesos * 1_000 }) };
  },
  'all signs turned': ({ right }) => ({
    ...right,
    lines: right.lines.map((line) => ({ ...line, pesos: -line.pesos })),
  }),
  'another opening balance': ({ right }, random) => ({ ...right, opening: right.opening + random.int(1, 1_000_000) }),
  'a month that is not over': ({ right }, random) => ({
    ...right,
    today: `${right.period}-${random.int(10, 29)}`,
    lines: right.lines.slice(0, -1),
  }),
};

/** Only one of the two formats states the span. */
const SPAN_LIES: typeof LIES = {
  'the file ends with its last line': ({ right }) => {
    const lines = right.lines.slice(0, -1);
    return { ...right, lines, to: lines.at(-1)!.day };
  },
  'the file begins with its first line': ({ right }) => ({
    ...right,
    from: right.lines[0]!.day,
    lines: right.lines.slice(1),
  }),
};

const known = (story: Story, account: string): KnownAccounts =>
  Object.values(story).reduce(
    (all, month) =>
      learnAccounts(all, month.period, [
        {
          account,
          statement: {
            opening: String(month.opening),
            closing: String(closingOf(month)),
            isOpen: month.isOpen,
            rows: month.lines.length,
          },
        },
      ]),
    NOTHING_KNOWN,
  );

const storedAs = (scope: ScopeDefinition, row: Row) => ({
  id: JSON.stringify(scope.naturalKey(row)),
  statement: scope.statement!(row),
});

const read = (form: Form, story: Story, shown: Shown) => {
  const rows: Row[] = [];
  const closed: string[] = [];
  const request = {
    scope: 'movements',
    period: PERIOD,
    credentials: form.credentials,
    known: known(story, form.account),
  };
  for (const item of form.source.parse(request, form.answers(shown, story.before, story.after))) {
    if ('row' in item) rows.push(form.scope.parsed.parse(item.row.row) as Row);
    else if ('closed' in item) closed.push(item.closed);
  }
  return { rows, closed };
};

describe.each(FORMS.map((form) => [form.source.manifest.code, form] as const))('%s', (code, form) => {
  const lies = code === 'bankthree' ? { ...LIES, ...SPAN_LIES } : LIES;
  const names = Object.keys(lies);

  test(`${LIES_EACH} malformed closed statements delete no row`, { timeout: 60_000 }, () => {
    const random = randomFrom(20_261_122);
    const deleting: string[] = [];
    let refused = 0;
    for (let n = 0; n < LIES_EACH; n++) {
      const name = names[n % names.length]!;
      const story = storyOf(random);
      const { rows } = read(form, story, story.right);
      const stored = rows.map((row) => storedAs(form.scope, row));
      expect(stored).toHaveLength(story.right.lines.length);
      try {
        const lied = read(form, story, lies[name]!(story, random));
        const incoming = lied.rows.map((row) => storedAs(form.scope, row));
        if (replacedRows(stored, incoming, lied.closed).length > 0) deleting.push(name);
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        expect(error.code).toBe('source.unexpected_response');
        refused++;
      }
    }
    expect(deleting).toEqual([]);
    expect(refused).toBe(LIES_EACH);
  });

  test('a right one replaces exactly its account and month', () => {
    const random = randomFrom(7);
    for (let n = 0; n < 50; n++) {
      const story = storyOf(random);
      const { rows, closed } = read(form, story, story.right);
      const wrong = rows.flatMap((row, at) => [
        { ...row, documento: `9${at}`, provisional: false },
        { ...row, documento: `8${at}`, provisional: true },
      ]);
      const others = rows.map((row) => ({ ...row, numero_cuenta: '77', provisional: at(row) }));
      const stored = [...wrong, ...others, ...rows].map((row) => storedAs(form.scope, row));
      const gone = replacedRows(
        stored,
        rows.map((row) => storedAs(form.scope, row)),
        closed,
      );
      expect(gone).toEqual(stored.slice(0, wrong.length));
    }
  });
});

const at = ({ documento }: Row): boolean => Number(documento) % 2 === 0;
