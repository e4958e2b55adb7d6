/** Kept answers of a period or a tender → checked rows, notices and marks. */
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import {
  type JsonObject,
  type Parsed,
  type ParsedRow,
  type PullRequest,
  type SourceAdapter,
  SourceError,
} from '#shared/sources/source.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import type { OutcomeNotice } from '#shared/sync/run.rules.ts';
import { addNotices } from '#shared/sync/task/task.rules.ts';
import type { SeenAccount } from '#shared/values/known-accounts.ts';
import { type ToldTotal, ToldTotalSchema, type TotalGroup } from '#shared/values/told-totals.ts';
import type { CollectedAnswer } from './raw-answer-log.ts';

export interface CheckedRow {
  row: Row;
  raw: JsonObject;
  /** Of the kept answer it was read from. */
  answerId: string;
}

export interface ReadAnswers {
  notices: OutcomeNotice[];
  /** To be told unless exactly what is stored was shown. */
  unlessKnown: OutcomeNotice[];
  /** To be told only if a stored value stays where the answers have none. */
  whereKept: OutcomeNotice[];
  /** Accounts whose closed statement was read. */
  closed: string[];
  /** Accounts whose closed statement is in doubt. */
  doubtful: string[];
  /** Accounts that the bank lists. */
  accounts: SeenAccount[];
  /** Accounts that the bank's lists leave out; undefined: the answers do not say. */
  missing: readonly string[] | undefined;
  /** What the source tells in total of the period. */
  told: { totals: ToldTotal[]; whole: TotalGroup[] };
  /** Names the lines that could not be read, where the rest of them is read all the same. */
  unreadable: string | null;
  /** The institution does not know the tender. */
  isAbsent: boolean;
}

export interface Parser {
  source: SourceAdapter;
  scope: ScopeDefinition;
  signal: AbortSignal;
}

/**
 * Parses everything before anything is written: an answer that cannot be read writes nothing of its period or tender.
 * Yields now and then, so that the lease can be renewed meanwhile.
 */
export const parseAnswers = async (
  { source, scope, signal }: Parser,
  request: Pick<PullRequest, 'period' | 'tender' | 'credentials' | 'known'>,
  collected: readonly CollectedAnswer[],
  onRow: (row: CheckedRow) => void,
): Promise<ReadAnswers> => {
  const unit = request.tender ?? request.period ?? '';
  const ids = new Map(collected.map(({ answer, id }) => [answer.key, id]));
  const check = ({ row, raw, answerKey }: ParsedRow): CheckedRow => {
    const checked = scope.parsed.safeParse(row);
    if (!checked.success) {
      const field = checked.error.issues[0]?.path.join('.') ?? 'row';
      throw new SourceError('source.unexpected_response', `${scope.name} ${unit}: ${field} of a row cannot be read`);
    }
    const answerId = ids.get(answerKey);
    if (answerId === undefined)
      throw new Error(`parser of ${scope.name} names an answer it was not given: ${answerKey}`);
    return { row: checked.data, raw, answerId };
  };
  const read = nothingRead();
  let yieldedAt = performance.now();
  const answers = collected.map(({ answer }) => answer);
  for (const parsed of source.parse({ ...request, scope: scope.name }, answers)) {
    if (performance.now() - yieldedAt > SYNC_LIMITS.yieldEveryMs) {
      await yieldToEvents();
      signal.throwIfAborted();
      yieldedAt = performance.now();
    }
    if ('row' in parsed) onRow(check(parsed.row));
    else if ('total' in parsed) read.told.totals.push(checkTotal(scope, parsed.total));
    else addParsed(read, parsed);
  }
  return { ...read, closed: [...new Set(read.closed)], doubtful: [...new Set(read.doubtful)] };
};

/** A figure that nothing is compared with would be a total that nobody looks at. */
const checkTotal = ({ name, totals }: ScopeDefinition, told: ToldTotal): ToldTotal => {
  const known = [...Object.keys(totals?.figures ?? {}), ...Object.values(totals?.beginsWith ?? {})];
  const strange = Object.keys(told.figures).find((figure) => !known.includes(figure));
  if (strange !== undefined)
    throw new Error(`parser of ${name} tells a total that its scope does not know: ${strange}`);
  const checked = ToldTotalSchema.safeParse(told);
  if (checked.success) return told;
  const field = checked.error.issues[0]?.path.join('.') ?? 'total';
  throw new SourceError('source.unexpected_response', `${name}: ${field} of a total cannot be read`);
};

const nothingRead = (): ReadAnswers => ({
  notices: [],
  unlessKnown: [],
  whereKept: [],
  closed: [],
  doubtful: [],
  accounts: [],
  missing: undefined,
  told: { totals: [], whole: [] },
  unreadable: null,
  isAbsent: false,
});

/** Adds to `read` what a parser tells besides rows. */
const addParsed = (read: ReadAnswers, parsed: Exclude<Parsed, { row: unknown } | { total: unknown }>): void => {
  const note = (notice: OutcomeNotice): void => {
    read.notices = addNotices(read.notices, [notice], SYNC_LIMITS.noticesPerScopeMax);
  };
  if ('closed' in parsed) read.closed.push(parsed.closed);
  else if ('doubtful' in parsed) read.doubtful.push(parsed.doubtful);
  else if ('account' in parsed) read.accounts.push(parsed.account);
  else if ('whereKept' in parsed) read.whereKept.push(parsed.whereKept);
  else if ('wholeTotals' in parsed) read.told.whole.push(parsed.wholeTotals);
  else if ('missing' in parsed) read.missing = parsed.missing;
  else if ('unreadable' in parsed) {
    read.unreadable ??= parsed.unreadable.message;
    note(parsed.unreadable);
  } else if ('absent' in parsed) {
    read.isAbsent = true;
    note(parsed.absent);
  } else if (parsed.unlessKnown) read.unlessKnown.push(parsed.notice);
  else note(parsed.notice);
};
