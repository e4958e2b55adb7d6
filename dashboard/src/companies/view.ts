/** The view of the home page, which is stored in the page's address: search, filters, part of the list, page. */
import type { Connection } from '../api/client.ts';
import { SOURCE_NAMES } from '../connections/codes.gen.ts';

/** `months`: connections of the shown page whose last month is not complete, or differs. */
export const PARTS = ['all', 'attention', 'months'] as const;
export type Part = (typeof PARTS)[number];

export const STATUSES = ['pending', 'active', 'error', 'disabled'] as const satisfies readonly Connection['status'][];

type SourceCode = keyof typeof SOURCE_NAMES;
const isSource = (code: string | null): code is SourceCode => code !== null && Object.hasOwn(SOURCE_NAMES, code);

/** Longest `q` of the API. */
export const SEARCH_CHARS_MAX = 64;
/** Largest page of the API. */
export const PAGE_SIZE = 200;
/** Connections that need attention and are shown above the list; `attention` shows all of them. */
export const FIRST_SIZE = 25;

export interface ListFilter {
  q?: string;
  status?: Connection['status'];
  external_source_code?: SourceCode;
}

export interface ListView {
  part: Part;
  filter: ListFilter;
  offset: number;
}

/** Reads the view. A mistyped value counts as absent. */
export const readView = (address: URLSearchParams): ListView => {
  const q = address.get('q')?.slice(0, SEARCH_CHARS_MAX) ?? '';
  const status = STATUSES.find((each) => each === address.get('status'));
  const source = address.get('source');
  const offset = address.get('offset') ?? '';
  return {
    part: PARTS.find((each) => each === address.get('show')) ?? 'all',
    filter: {
      ...(q === '' ? {} : { q }),
      ...(status === undefined ? {} : { status }),
      ...(isSource(source) ? { external_source_code: source } : {}),
    },
    offset: /^\d{1,9}$/.test(offset) ? Number(offset) : 0,
  };
};

/** Returns the address with a changed value, from the first page on. An empty value removes the parameter. */
export const withChoice = (address: URLSearchParams, name: 'q' | 'status' | 'source' | 'show', value: string) => {
  const next = new URLSearchParams(address);
  if (value === '') next.delete(name);
  else next.set(name, value);
  next.delete('offset');
  return next;
};

export const withOffset = (address: URLSearchParams, offset: number): URLSearchParams => {
  const next = new URLSearchParams(address);
  if (offset === 0) next.delete('offset');
  else next.set('offset', String(offset));
  return next;
};

/** Returns the address without search and filters. */
export const withoutChoices = (address: URLSearchParams): URLSearchParams =>
  (['q', 'status', 'source'] as const).reduce((rest, name) => withChoice(rest, name, ''), address);
