/** The bytes of a file before they are trusted: length, content type, kind and the end of it (decisions.md §5). */
import { kindFault, readEnding, wholeKind } from './file-kinds.ts';
import { isHtmlPage } from './file-texts.ts';

export interface GivenFile {
  body: Uint8Array;
  contentType: string | null;
}

/** What the institution says of the file elsewhere. */
export interface ExpectedFile {
  /** With the ending that tells its kind. */
  name: string;
  /** Does a file of so many bytes fit what was shown? Undefined where no size was shown. */
  fits: ((bytes: number) => boolean) | undefined;
  /** The answer calls the file by this name itself. */
  isNamed?: boolean;
}

/** Types of what comes in place of a file, and of the endings that are such files themselves. */
const IN_PLACE: Readonly<Record<string, readonly string[]>> = {
  'text/html': ['html', 'htm'],
  'application/xhtml+xml': ['html', 'htm'],
  'application/json': ['json'],
};

const typeFault = (ending: string, contentType: string | null): string | undefined => {
  const type = (contentType ?? '').split(';')[0]!.trim().toLowerCase();
  const own = IN_PLACE[type];
  return own === undefined || own.includes(ending) ? undefined : `content type ${type}`;
};

/** Programs write tables and letters as pages under these endings: believed where the size is that of the list. */
const PAGES_INSIDE: ReadonlySet<string> = new Set(['xls', 'doc']);

export const isPage = (body: Uint8Array): boolean =>
  isHtmlPage(Buffer.from(body.buffer, body.byteOffset, body.byteLength));

/**
 * The kind of a whole file whose name ends otherwise: people rename. Believed where the size of the list and the name in
 * the answer both say that this file was meant.
 */
export const renamedKind = ({ body }: GivenFile, { name, fits, isNamed }: ExpectedFile): string | undefined =>
  isNamed && fits?.(body.length) === true && kindFault(readEnding(name), body) !== undefined
    ? wholeKind(body)
    : undefined;

/** In words what was seen and expected; undefined for a file that may be stored. */
export const fileFault = (given: GivenFile, expected: ExpectedFile): string | undefined => {
  const { body, contentType } = given;
  const { name, fits } = expected;
  if (body.length === 0) return '0 bytes came';
  const ending = readEnding(name);
  const isRenamed = renamedKind(given, expected) !== undefined;
  const isTable = PAGES_INSIDE.has(ending) && fits?.(body.length) === true && isPage(body);
  const fault = typeFault(ending, contentType) ?? (isTable || isRenamed ? undefined : kindFault(ending, body));
  if (fault !== undefined) return fault;
  return fits === undefined || fits(body.length)
    ? undefined
    : `${body.length} bytes came, and its list shows another size`;
};
