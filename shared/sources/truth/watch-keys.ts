/**
 * Reports or rejects keys that are missing or empty although the wire always fills them. The value of such a key is
 * never read as "empty".
 */
import type { NoticeCode } from '#shared/values/notice-catalogue.ts';
import { beginWithUnit, type ReadUnit } from '#shared/values/notice-params.ts';
import { notice, unexpected } from '../parsing/results.ts';
import type { AnswerKeys, JsonObject, Notice, Parsed } from '../source.ts';

/** True for the values by which banks write "nothing". */
export const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '');

export interface KeyWatch {
  /** Records the column names of a file; called once for each file. */
  columns(names: ReadonlySet<string>, keys: AnswerKeys, answerKey: string): void;
  /**
   * Records the keys of a row. `isEmpty` recognizes the source's values for "nothing"; a missing key of an object is
   * undefined.
   */
  row(read: (key: string) => unknown, keys: AnswerKeys, place: string, isEmpty: (value: unknown) => boolean): void;
  /** Returns the notice about keys that were missing or wrongly empty; an empty list if there was no such key. */
  notice(code: NoticeCode, unit: ReadUnit): { notice: Notice }[];
  /**
   * Returns the notices about keys that were missing or empty. Some institutions leave keys empty, so an empty key is
   * reported only if a value is stored for it.
   */
  noticesWhereKept(code: NoticeCode, unit: ReadUnit): Parsed[];
}

/**
 * True if the stored value stays: the key is missing, or the value is empty although the wire never leaves it empty.
 */
export const leavesOpen = (
  value: unknown,
  key: string,
  { nullable }: Pick<AnswerKeys, 'nullable'>,
  isEmpty: (value: unknown) => boolean,
): boolean => value === undefined || (isEmpty(value) && !nullable.includes(key));

/**
 * Returns a function that reads the values with these keys from an answer. The function returns undefined if the stored
 * value must stay.
 */
export const keeping =
  (keys: AnswerKeys, isEmpty: (value: unknown) => boolean) =>
  <Value>(from: JsonObject, field: string, read: (field: string) => Value): Value | undefined =>
    leavesOpen(from[field], field, keys, isEmpty) ? undefined : read(field);

const noticeOf = (code: NoticeCode, unit: ReadUnit, parts: readonly string[]): { notice: Notice }[] =>
  parts.length === 0
    ? []
    : [
        notice(
          code,
          `${beginWithUnit(unit)}the answers changed. Keys ${parts.join('; ')}. What is stored was kept.`,
          unit,
        ),
      ];

interface KeyCheck {
  key: string;
  isRequired: boolean;
  isTold: boolean;
  mayBeEmpty: boolean;
}

/**
 * The checks of each set of keys, required keys first and without duplicates. They are cached, because thousands of
 * rows have the same keys.
 */
const checks = new WeakMap<AnswerKeys, readonly KeyCheck[]>();

const checksOf = (keys: AnswerKeys): readonly KeyCheck[] => {
  const known = checks.get(keys);
  if (known) return known;
  const { required, reported, nullable } = keys;
  const made = [...new Set([...required, ...reported])].map((key) => ({
    key,
    isRequired: required.includes(key),
    isTold: reported.includes(key),
    mayBeEmpty: nullable.includes(key),
  }));
  checks.set(keys, made);
  return made;
};

export const watchKeys = (): KeyWatch => {
  const absent = new Set<string>();
  const empty = new Set<string>();
  const absentPart = () => (absent.size > 0 ? [`absent: ${[...absent].sort().join(', ')}`] : []);
  const emptyPart = () => (empty.size > 0 ? [`empty, which they never are: ${[...empty].sort().join(', ')}`] : []);
  return {
    columns: (names, { required, reported }, answerKey) => {
      const gone = required.find((name) => !names.has(name));
      if (gone !== undefined) throw unexpected(`${answerKey}, row 0`, `column "${gone}" is missing`);
      for (const name of reported) if (!names.has(name)) absent.add(name);
    },
    row: (read, keys, place, isEmpty) => {
      for (const { key, isRequired, isTold, mayBeEmpty } of checksOf(keys)) {
        const value = read(key);
        if (value === undefined) {
          if (isRequired) throw unexpected(place, `${key} is missing`);
          absent.add(key);
        } else if (isTold && !mayBeEmpty && isEmpty(value)) empty.add(key);
      }
    },
    notice: (code, unit) => noticeOf(code, unit, [...absentPart(), ...emptyPart()]),
    noticesWhereKept: (code, unit) => [
      ...noticeOf(code, unit, absentPart()),
      ...noticeOf(code, unit, emptyPart()).map(({ notice: whereKept }) => ({ whereKept })),
    ],
  };
};
