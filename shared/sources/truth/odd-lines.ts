/**
 * Collects the unreadable lines of an answer. If there are only a few, they are reported and all other lines are
 * stored; if there are more, the wire has changed and the answer is rejected.
 */
import type { NoticeCode } from '#shared/values/notice-catalogue.ts';
import { beginWithUnit, type ReadUnit } from '#shared/values/notice-params.ts';
import { type Parsed, SourceError } from '../source.ts';

/** Highest share of an answer's lines that may be unreadable. */
const SHARE_MAX = 0.01;
const NUMBERS_TOLD = 10;

export interface OddLines {
  /** Number of unreadable lines so far. */
  readonly count: number;
  /** Records an unreadable line. */
  add(line: number, fault: SourceError): void;
  /**
   * Runs `read` and returns its result; undefined when the line is unreadable. Errors that do not concern the content
   * of a line are thrown again.
   */
  attempt<Result>(line: number, read: () => Result): Result | undefined;
  /** Called after the last line of the answer. Throws when too many lines are unreadable. */
  validate(lines: number): void;
  /** Returns the data for the notice; undefined when every line was readable. */
  told(): OddAnswer | undefined;
}

export interface OddAnswer {
  count: number;
  numbers: string;
  first: string;
}

export const createOddLines = (answerKey: string): OddLines => {
  const numbers: number[] = [];
  let count = 0;
  let first: SourceError | undefined;
  const add = (line: number, fault: SourceError) => {
    first ??= fault;
    count++;
    if (numbers.length < NUMBERS_TOLD) numbers.push(line);
  };
  return {
    get count() {
      return count;
    },
    add,
    attempt: (line, read) => {
      try {
        return read();
      } catch (error) {
        if (!(error instanceof SourceError) || error.code !== 'source.unexpected_response') throw error;
        add(line, error);
        return undefined;
      }
    },
    validate: (lines) => {
      if (first === undefined || count <= Math.max(1, Math.floor(lines * SHARE_MAX))) return;
      const message = `${first.message} (${count} of ${lines} lines of ${answerKey} cannot be read)`;
      throw new SourceError('source.unexpected_response', message, { cause: first });
    },
    told: () => first && { count, numbers: `${answerKey}: ${numbers.join(', ')}`, first: first.message },
  };
};

/** Returns one notice for all answers of a month, with the first line numbers of each answer. */
export const oddLinesNotice = (code: NoticeCode, unit: ReadUnit, odd: readonly OddAnswer[]): Parsed[] => {
  const [first] = odd;
  if (first === undefined) return [];
  const count = odd.reduce((sum, answer) => sum + answer.count, 0);
  const lines = count === 1 ? '1 line' : `${count} lines`;
  const where = odd.map(({ numbers }) => numbers).join('; ');
  const message = `${beginWithUnit(unit)}${lines} could not be read, the others are stored. ${where}. First: ${first.first}.`;
  return [{ unreadable: { code, message, params: { ...unit, count } } }];
};
