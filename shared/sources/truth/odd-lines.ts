/** Lines that cannot be read. A few are told and the rest comes in; more are another wire, which is refused. */
import type { NoticeCode } from '#shared/values/notice-catalogue.ts';
import { type Parsed, SourceError } from '../source.ts';

/** Of the lines of one answer. */
const SHARE_MAX = 0.01;
const NUMBERS_TOLD = 10;

export interface OddLines {
  /** Lines that could not be read so far. */
  readonly count: number;
  /** A line that could not be read. */
  add(line: number, fault: SourceError): void;
  /** Runs `read`; undefined where the line could not be read. Faults that are none of a line's content pass. */
  attempt<Result>(line: number, read: () => Result): Result | undefined;
  /** Once all lines of the answer were read. Throws where too many of them could not be. */
  validate(lines: number): void;
  /** What the run is told; nothing where every line could be read. */
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

/** One notice for all answers of a month, with the first numbers of each. */
export const oddLinesNotice = (code: NoticeCode, unit: string, odd: readonly OddAnswer[]): Parsed[] => {
  const [first] = odd;
  if (first === undefined) return [];
  const count = odd.reduce((sum, answer) => sum + answer.count, 0);
  const lines = count === 1 ? '1 line' : `${count} lines`;
  const where = odd.map(({ numbers }) => numbers).join('; ');
  const message = `${unit}: ${lines} could not be read, the others are stored. ${where}. First: ${first.first}.`;
  return [{ unreadable: { code, message } }];
};
