/** Notices about parts of a tender that could not be read. */
import type { NoticeWord } from '#shared/values/notice-catalogue.ts';
import { noticeCode } from '#shared/values/notice-code.ts';
import { notice } from '../parsing/results.ts';
import type { AnswerKeys, JsonObject, Notice, Parsed, RawAnswer } from '../source.ts';
import { type OddAnswer, oddLinesNotice } from '../truth/odd-lines.ts';
import { type KeyWatch, watchKeys } from '../truth/watch-keys.ts';
import { isClosedListing } from './closed-pages.ts';
import type { Written } from './json.ts';
import { isEmpty } from './values.ts';

export const blocked = (scope: string, codigo: string): { notice: Notice } =>
  notice(
    noticeCode(`procurement.${scope}`, 'blocked'),
    `${codigo}: the portal shows a listing of attachments to persons only; it was left alone.`,
    { tender: codigo },
  );

const CLOSED_FOR: Readonly<Record<string, string>> = {
  'source.maintenance': 'the portal is down for maintenance at a listing of attachments; it was left alone.',
  'source.unavailable': 'the portal does not answer at a listing of attachments; it was left alone.',
};

/** Reports listings of attachments that were closed, and the variant of a listing that asks for a CAPTCHA. */
export function* closedNotice(
  scope: string,
  codigo: string,
  listed: readonly RawAnswer[],
  isCaptcha = false,
): Generator<Parsed> {
  const closed = listed.filter(isClosedListing);
  const codes = closed.map(({ request }) => String(request.code));
  const other = codes.find((code) => code in CLOSED_FOR);
  const isForPersons = isCaptcha || codes.some((code) => !(code in CLOSED_FOR));
  if (isForPersons) yield blocked(scope, codigo);
  else if (other !== undefined)
    yield notice(noticeCode(`procurement.${scope}`, 'blocked'), `${codigo}: ${CLOSED_FOR[other]}`, { tender: codigo });
}

export const notFound = (scope: string, codigo: string): Parsed => ({
  absent: {
    code: noticeCode(`procurement.${scope}`, 'not_found'),
    message: `${codigo}: the portal does not know this tender.`,
    params: { tender: codigo },
  },
});

/** Input of the notices about a tender, collected from all its answers. */
export interface TenderNotes {
  watch: KeyWatch;
  /** Keys that the portal may leave empty. An empty one is reported only if a stored value stays. */
  optional: KeyWatch;
  odd: OddAnswer[];
  /** Further notices: the text by the kind of notice. */
  told: Map<NoticeWord, string>;
  /** Further notices that are reported only if the stored data differs from the data on the page. */
  unlessKnown: Map<NoticeWord, string>;
}

export const tenderNotes = (): TenderNotes => ({
  watch: watchKeys(),
  optional: watchKeys(),
  odd: [],
  told: new Map(),
  unlessKnown: new Map(),
});

/** Records keys of an API object that are missing or empty. */
export const watchWritten = (
  { plain }: Written<JsonObject>,
  keys: AnswerKeys,
  place: string,
  { watch }: Pick<TenderNotes, 'watch'>,
): void => watch.row((key) => plain[key], keys, place, isEmpty);

/** Records columns that are blank although the portal always fills them. */
export const noteBlank = ({ watch }: Pick<TenderNotes, 'watch'>, columns: readonly string[], place: string): void =>
  watch.row(
    () => '',
    { rows: [], required: [], reported: columns, nullable: [] },
    place,
    () => true,
  );

/** Records a missing column. */
export const noteAbsent = ({ watch }: TenderNotes, column: string): void =>
  watch.row(
    () => undefined,
    { rows: [], required: [], reported: [column], nullable: [] },
    '',
    () => false,
  );

export function* tellNotes(
  scope: string,
  codigo: string,
  { watch, optional, odd, told, unlessKnown }: TenderNotes,
): Generator<Parsed> {
  const code = (word: NoticeWord) => noticeCode(`procurement.${scope}`, word);
  const noticeOf = ([word, message]: [NoticeWord, string]) =>
    notice(code(word), `${codigo}: ${message}`, { tender: codigo });
  yield* watch.notice(code('columns_missing'), { tender: codigo });
  yield* optional.noticesWhereKept(code('columns_missing'), { tender: codigo });
  for (const one of told) yield noticeOf(one);
  for (const one of unlessKnown) if (!told.has(one[0])) yield { ...noticeOf(one), unlessKnown: true };
  yield* oddLinesNotice(code('lines_unreadable'), { tender: codigo }, odd);
}
