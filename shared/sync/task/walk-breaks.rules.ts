/**
 * Breaks in the stored movements of a bank's accounts (ADR 36): within a month, or between a month and the next one. A
 * month with a break is never called complete. Pure.
 */
import { Big } from 'big.js';
import * as z from 'zod';
import type { AccountWalk } from '#shared/rows/write/heal-month.rules.ts';
import type { OutcomeNotice } from '#shared/sync/run.rules.ts';
import { addMonths } from '#shared/values/dates.ts';
import type { MonthHeads } from '#shared/values/known-accounts.ts';
import type { NoticeCode } from '#shared/values/notice-catalogue.ts';
import { noticeCode } from '#shared/values/notice-code.ts';

export const WalkBreakSchema = z.object({
  account: z.string(),
  /** Balance at which the movements stop, as a plain decimal. */
  stopsAt: z.string(),
  /** Balance from which they continue. */
  resumesAt: z.string(),
  /** The later month of a break between two months; absent for a break within the month. */
  next: z.string().exactOptional(),
});
export interface WalkBreak extends z.infer<typeof WalkBreakSchema> {}

/** A month that was read in the run, with its breaks. */
interface ReadMonth {
  period: string | null;
  breaks?: readonly WalkBreak[];
}

export const findBreaks = (walks: readonly AccountWalk[]): WalkBreak[] =>
  walks.flatMap(({ account, walk }) =>
    walk.state === 'broken' ? [{ account, stopsAt: walk.stopsAt, resumesAt: walk.resumesAt }] : [],
  );

/**
 * Returns the accounts whose next month does not begin with the balance with which the month ends. The closing balance
 * of an open statement is ignored, because it may still change.
 */
const compareMonths = (month: MonthHeads, next: MonthHeads, nextPeriod: string): WalkBreak[] =>
  Object.entries(month).flatMap(([account, { closing, isOpen }]) => {
    const opening = next[account]?.opening ?? null;
    if (isOpen || opening === null || new Big(closing).eq(opening)) return [];
    return [{ account, stopsAt: closing, resumesAt: opening, next: nextPeriod }];
  });

/** Breaks between a month and its neighbours, and the months that were compared. */
export interface BesideBreaks {
  before: readonly WalkBreak[];
  after: readonly WalkBreak[];
}

/** @param statements heads of the statements by month, as they are stored now */
export const compareBeside = (period: string, statements: Readonly<Record<string, MonthHeads>>): BesideBreaks => {
  const [before, after] = [addMonths(period, -1), addMonths(period, 1)];
  const of = (month: string): MonthHeads => statements[month] ?? {};
  return {
    before: compareMonths(of(before), of(period), period),
    after: compareMonths(of(period), of(after), after),
  };
};

/**
 * Returns the months of the run with breaks between them as they are now. A later month of the run may mend the end of
 * an earlier one.
 */
export const updateBeside = <M extends ReadMonth>(
  done: readonly M[],
  period: string,
  { before, after }: BesideBreaks,
): M[] => {
  const [earlier, later] = [addMonths(period, -1), addMonths(period, 1)];
  const replace = (month: M, next: string, breaks: readonly WalkBreak[]): M => {
    const { breaks: known = [], ...rest } = month;
    const all = [...known.filter((one) => one.next !== next), ...breaks];
    return (all.length === 0 ? rest : { ...rest, breaks: all }) as M;
  };
  return done.map((month) => {
    if (month.period === earlier) return replace(month, period, before);
    return month.period === later ? replace(month, later, after) : month;
  });
};

export const breaksCode = (scope: string): NoticeCode => noticeCode(scope, 'balances_broken');

const describeBreak = (period: string, { account, stopsAt, resumesAt, next }: WalkBreak): string => {
  const gap = new Big(resumesAt).minus(stopsAt).toFixed();
  return next === undefined
    ? `the stored movements of account ${account} do not lead from one balance to the next: they stop at ${stopsAt} and continue from ${resumesAt} (difference ${gap}).`
    : `account ${account} ends ${next === period ? addMonths(period, -1) : period} with ${stopsAt} and begins ${next} with ${resumesAt} (difference ${gap}).`;
};

const REPAIR = 'The next sync reads the month again.';

/** Returns one notice for each month that does not add up. */
export const breakNotices = (scope: string, done: readonly ReadMonth[]): OutcomeNotice[] =>
  done.flatMap(({ period, breaks = [] }) => {
    const [first, ...others] = breaks;
    if (period === null || first === undefined) return [];
    const more = others.length === 0 ? [] : [`More breaks in this month: ${others.length}.`];
    const message = [`${period}: ${describeBreak(period, first)}`, ...more, REPAIR].join(' ');
    const { account, stopsAt: stops_at, resumesAt: resumes_at } = first;
    return [{ code: breaksCode(scope), message, params: { period, account, stops_at, resumes_at } }];
  });
