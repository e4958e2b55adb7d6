/** Builds the notices of stored rows that a run removed, retained or replaced. Every such change is reported. */

import { differencesIn, groupInWords, type PeriodTotals } from '#shared/rows/item/totals.rules.ts';
import type { PeriodCounts } from '#shared/rows/write/period-counts.ts';
import { type ScopeDefinition, scopeId } from '#shared/scopes/scope.ts';
import type { OutcomeNotice } from '#shared/sync/run.rules.ts';
import type { NoticeWord } from '#shared/values/notice-catalogue.ts';
import { noticeCode } from '#shared/values/notice-code.ts';
import { monthUnit } from '#shared/values/notice-params.ts';

type WrittenCounts = Omit<
  PeriodCounts,
  'found' | 'created' | 'updated' | 'isOpen' | 'notes' | 'unread' | 'walks' | 'notShown'
>;

const counted = (count: number, kind: string): string =>
  count === 1 ? `1 ${kind}` : `${count.toLocaleString('en-US')} ${kind}s`;

const was = (count: number): string => (count === 1 ? 'was' : 'were');

/** Returns the message of removed rows. The message names the record that no longer shows the rows. */
const removed = ({ childRows, numbered, totals }: ScopeDefinition, count: number, healed: number): string => {
  if (healed > 0)
    return `${counted(count, 'row')} that the source does not show ${was(count)} removed, because the month adds up only without them.`;
  if (numbered) return `${counted(count, 'row')} stored a second time under another number ${was(count)} removed.`;
  if (totals?.neverMoves)
    return `${counted(count, 'document')} that the sales book does not contain ${was(count)} removed. The totals of the book equal the documents that it shows.`;
  const [kind, shower] = childRows ? ['payment', 'their batch'] : ['row', 'the closed statement'];
  return `${counted(count, kind!)} that ${shower} does not show ${was(count)} removed.`;
};

/**
 * Codes of the notices that already explain why fewer or no rows came. With such a notice, `rows_kept` is not added.
 */
const EXPLAINED = /\.(?:out_of_window|not_available|not_published|total_only)$/;

/** Code and month of a notice. */
const subject = ({ code, message }: OutcomeNotice): string => `${code} ${message.slice(0, message.indexOf(':'))}`;

const COUNTED_BEFORE_WRITING = /\.(?:facts_corrected|rows_rewritten)$/;

/**
 * Returns the notices without those that an earlier worker of the run has already reported. These counts are stored
 * before the first write; the next worker counts only the rows that are left.
 */
export const withoutLaterCounts = (
  notices: readonly OutcomeNotice[],
  more: readonly OutcomeNotice[],
): OutcomeNotice[] => {
  const told = new Set(notices.map(subject));
  return more.filter((notice) => !COUNTED_BEFORE_WRITING.test(notice.code) || !told.has(subject(notice)));
};

/**
 * Returns the earlier notices without the `rows_replaced` notices of a month that `more` reports again. The newer count
 * covers the whole run.
 */
export const withoutEarlierRemovals = (
  notices: readonly OutcomeNotice[],
  more: readonly OutcomeNotice[],
): OutcomeNotice[] => {
  const anew = new Set(more.filter(({ code }) => code.endsWith('.rows_replaced')).map(subject));
  return notices.filter((notice) => !anew.has(subject(notice)));
};

const areOrIs = (count: number): string => (count === 1 ? 'is' : 'are');

/**
 * Describes the first figure that differs, and counts the other differing figures and the stored rows that the source
 * no longer shows.
 */
const differing = (totals: PeriodTotals | null): { count: number; message: string } => {
  const all = totals ? differencesIn(totals) : [];
  const [first] = all;
  if (!totals || !first) return { count: 0, message: '' };
  const { group, figure, institution, ours } = first;
  const others = all.length - 1;
  const kept = totals.groups.find((each) => each.group === group)?.notShown?.rows ?? 0;
  const parts = [
    `${groupInWords(group)}: the source says ${figure} ${institution}, the stored rows come to ${ours}.`,
    ...(kept === 0 ? [] : [`${counted(kept, 'row')} that the source does not show ${areOrIs(kept)} among them.`]),
    ...(others === 0 ? [] : [`${counted(others, 'other figure')} ${others === 1 ? 'differs' : 'differ'}.`]),
  ];
  return { count: all.length, message: parts.join(' ') };
};

/**
 * Returns the notices of a written period.
 * @param notices the notices that the parser reported for the reading
 */
export const writtenNotices = (
  scope: ScopeDefinition,
  period: string | null,
  counts: WrittenCounts,
  notices: readonly OutcomeNotice[],
): OutcomeNotice[] => {
  const isExplained = notices.some(({ code }) => EXPLAINED.test(code));
  const { ignored, doubtful, kept, renumbered, rewritten, shorter, emptied, corrected, held, heldHours } = counts;
  const gone = counts.removed + counts.removedChildRows;
  const differs = differing(counts.totals);
  const said: [word: NoticeWord, count: number, message: string][] = [
    ['rows_replaced', gone, removed(scope, gone, counts.healed)],
    [
      'open_rows_ignored',
      ignored,
      `${counted(ignored, 'row')} of an open statement ${was(ignored)} not stored, because the closed statement is already stored.`,
    ],
    [
      'doubtful_rows_ignored',
      doubtful,
      `${counted(doubtful, 'row')} of a doubtful statement ${was(doubtful)} not stored, because the statement does not show every stored row.`,
    ],
    [
      'rows_kept',
      isExplained ? 0 : kept,
      `${counted(kept, 'stored row')} that the source does not show ${was(kept)} kept.`,
    ],
    [
      'statement_shorter',
      shorter,
      `${counted(shorter, 'stored movement')} that fit the balances ${was(shorter)} not shown. The source showed an older or incomplete copy of the month. They stay stored.`,
    ],
    [
      'nothing_shown',
      emptied,
      `The closed statement of an account came without movements, but ${counted(emptied, 'movement')} ${areOrIs(emptied)} stored. They stay stored.`,
    ],
    [
      'facts_changed',
      held,
      `The source changed the amount, day or counterparty of ${counted(held, 'stored row')}. The stored values stay. A sync ${heldHours} hours later that shows the same is believed.`,
    ],
    [
      'facts_corrected',
      corrected,
      `The source changed the amount, day or counterparty of ${counted(corrected, 'stored row')}. The new values are stored.`,
    ],
    [
      'numbers_changed',
      renumbered,
      `The source changed the number of ${counted(renumbered, 'stored row')}. Their ids stay the same.`,
    ],
    ['totals_differ', differs.count, differs.message],
    ['rows_rewritten', rewritten, `${counted(rewritten, 'stored row')} ${was(rewritten)} replaced by other data.`],
  ];
  return said
    .filter(([, count]) => count > 0)
    .map(([word, count, message]) => ({
      code: noticeCode(scopeId(scope), word),
      message: `${period}: ${message}`,
      params: { ...monthUnit(period), count },
    }));
};
