/** Checks the bytes of a file before the file is stored: length, content type, kind and end (decisions.md §5). */
import { kindFault, readEnding, wholeKind } from './file-kinds.ts';
import { isHtmlPage } from './file-texts.ts';

export interface GivenFile {
  body: Uint8Array;
  contentType: string | null;
}

/** Properties of the file that the institution shows outside the file. */
export interface ExpectedFile {
  /** Name of the file; its extension gives the expected kind. */
  name: string;
  /** True if a file with this number of bytes matches the shown size. Undefined when no size was shown. */
  fits: ((bytes: number) => boolean) | undefined;
  /** True if the answer with the file also contains this name. */
  isNamed?: boolean;
}

/**
 * Content types of answers that arrive instead of a file. For the listed extensions such an answer is the file itself.
 */
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

/**
 * Some programs write tables and letters as HTML pages with these extensions. Such a page is accepted if its size
 * matches the listing.
 */
const PAGES_INSIDE: ReadonlySet<string> = new Set(['xls', 'doc']);

export const isPage = (body: Uint8Array): boolean =>
  isHtmlPage(Buffer.from(body.buffer, body.byteOffset, body.byteLength));

/**
 * Returns the real kind of a complete file whose extension names another kind, because people rename files. Returns
 * undefined unless the size in the listing and the name in the answer both match the file.
 */
export const renamedKind = ({ body }: GivenFile, { name, fits, isNamed }: ExpectedFile): string | undefined =>
  isNamed && fits?.(body.length) === true && kindFault(readEnding(name), body) !== undefined
    ? wholeKind(body)
    : undefined;

/** Returns a fault message with the actual and the expected properties; undefined for a file that may be stored. */
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
