/** Parses the stored answers of a period or a tender into checked rows, notices, accounts and totals. */
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
import { type ToldTotal, ToldTotalSchema, type TotalGroup } from '#shared/values/source-totals.ts';
import type { CollectedAnswer } from './answer-packs.ts';

export interface CheckedRow {
  row: Row;
  raw: JsonObject;
  /** Id of the stored answer that contains the row. */
  answerId: string;
}

export interface ReadAnswers {
  notices: OutcomeNotice[];
  /** Notices that are not reported if the answer shows exactly what is stored. */
  unlessKnown: OutcomeNotice[];
  /** Notices that are reported only if stored values fill gaps in the answers. */
  whereKept: OutcomeNotice[];
  /** Accounts whose closed statement was read. */
  closed: string[];
  /** Accounts whose closed statement is in doubt. */
  doubtful: string[];
  /** Accounts that appear in the bank's list. */
  accounts: SeenAccount[];
  /** Known accounts that the bank's lists leave out. Undefined if the answers do not contain the lists. */
  missing: readonly string[] | undefined;
  /** Totals of the period as the source reports them. */
  told: { totals: ToldTotal[]; whole: TotalGroup[] };
  /** Error message that names the unreadable lines if all other lines were read; otherwise null. */
  unreadable: string | null;
  /** True if the institution does not know the tender. */
  isAbsent: boolean;
}

export interface Parser {
  source: SourceAdapter;
  scope: ScopeDefinition;
  signal: AbortSignal;
}

/**
 * Parses all answers before anything is written, so an unreadable answer writes nothing of its period or tender. Yields
 * to the event loop regularly, so that the lease is renewed during the parsing.
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
    if (answerId === undefined) throw new Error(`parser of ${scope.name} names an unknown answer: ${answerKey}`);
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

/** Rejects a total with an unknown figure, because this figure would not be compared with any sum. */
const checkTotal = ({ name, totals }: ScopeDefinition, told: ToldTotal): ToldTotal => {
  const known = [...Object.keys(totals?.figures ?? {}), ...Object.values(totals?.beginsWith ?? {})];
  const strange = Object.keys(told.figures).find((figure) => !known.includes(figure));
  if (strange !== undefined)
    throw new Error(`parser of ${name} reports a total that its scope does not know: ${strange}`);
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

/** Adds what a parser reports in addition to rows. */
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
