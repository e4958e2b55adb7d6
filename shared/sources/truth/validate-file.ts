/** Checks the bytes of a file before they are trusted: length, content type, kind and end (decisions.md §5). */
import { kindFault, readEnding, wholeKind } from './file-kinds.ts';
import { isHtmlPage } from './file-texts.ts';

export interface GivenFile {
  body: Uint8Array;
  contentType: string | null;
}

/** Properties that the institution shows about the file elsewhere. */
export interface ExpectedFile {
  /** Name with the extension, which gives the kind. */
  name: string;
  /** True if a file of this many bytes matches the size that was shown. Undefined when no size was shown. */
  fits: ((bytes: number) => boolean) | undefined;
  /** True if the answer itself gives the file this name. */
  isNamed?: boolean;
}

/** Content types of answers that replace a file, and the extensions for which they are the file itself. */
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

/** Some programs write tables and letters as pages under these extensions; accepted if the size matches the list. */
const PAGES_INSIDE: ReadonlySet<string> = new Set(['xls', 'doc']);

export const isPage = (body: Uint8Array): boolean =>
  isHtmlPage(Buffer.from(body.buffer, body.byteOffset, body.byteLength));

/**
 * The kind of a complete file whose name has another extension, because people rename files. Accepted if both the size
 * in the list and the name in the answer confirm the file.
 */
export const renamedKind = ({ body }: GivenFile, { name, fits, isNamed }: ExpectedFile): string | undefined =>
  isNamed && fits?.(body.length) === true && kindFault(readEnding(name), body) !== undefined
    ? wholeKind(body)
    : undefined;

/** Returns a message with the actual and the expected properties; undefined for a file that may be stored. */
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
