/**
 * The report of a visit: shapes of calls and answers, without their values, and what the parser made of them. Equal calls
 * are one entry. Pure.
 */
import { readShape, type Showable } from './body-shapes.ts';
import { type BodyShape, countNames, mergeShapes } from './shape.ts';
import { type KindCounts, type KnownNames, nameKind, nameOrKind } from './value-kinds.ts';
import type { ScopeVisit, Stop, Visit, VisitedCall } from './visit.ts';

export interface CallShape {
  /** `login`, the name of a scope, or `logout`. */
  step: string;
  method: string;
  /** Host and path; numbers, codes and ids in it are named by their kind. */
  address: string;
  /** Fields of the query and of the sent body, by name, with the kind of their values. */
  sent: Record<string, string>;
  times: number;
  statuses: KindCounts;
  types: KindCounts;
  /** Smallest and largest body, as classes: "under 4 KB". */
  sizes: [least: string, most: string];
  /** Addresses to which answers redirect. */
  redirects: string[];
  /** Cookies by name, and how many of the answers set them. */
  cookies: KindCounts;
  bodies: BodyShape[];
}

export interface ContactReport {
  source: string;
  /** Day of the visit, YYYY-MM-DD. */
  day: string;
  loginStop: Stop | null;
  scopes: ScopeVisit[];
  calls: CallShape[];
}

const KB = 1_024;

const sizeClass = (bytes: number): string => {
  if (bytes === 0) return 'nothing';
  let limit = 4 * KB;
  while (bytes >= limit) limit *= 4;
  return limit >= KB * KB ? `under ${limit / KB / KB} MB` : `under ${limit / KB} KB`;
};

const PLAIN_PART = /^[A-Za-z][A-Za-z0-9_.-]{0,39}$/;

const decodePart = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** A part of a path is shown if it has no digit or is described; anything else may be a value. */
const partOrKind = (part: string, names: KnownNames | null): string => {
  const isKnown = names === null ? !/\d{5}/.test(part) : !/\d/.test(part) || names.addressParts.has(part);
  return part === '' || (PLAIN_PART.test(part) && isKnown) ? part : `{${nameKind(decodePart(part))}}`;
};

const addressOf = (url: string, names: KnownNames | null): string => {
  const { host, pathname } = new URL(url);
  return `${host}${pathname
    .split('/')
    .map((part) => partOrKind(part, names))
    .join('/')}`;
};

const addSentJson = (fields: Record<string, string>, path: string, value: unknown): void => {
  if (typeof value !== 'object' || value === null) fields[path] = nameKind(value);
  else
    for (const [key, item] of Object.entries(value))
      addSentJson(fields, [path, Array.isArray(value) ? '[]' : nameOrKind(key)].filter(Boolean).join('.'), item);
};

const sentFields = ({ url, sent }: VisitedCall): Record<string, string> => {
  const fields: Record<string, string> = {};
  const addForm = (text: string): void => {
    for (const [name, value] of new URLSearchParams(text)) fields[nameOrKind(name)] = nameKind(value);
  };
  addForm(new URL(url).search);
  if (sent === null) return fields;
  try {
    addSentJson(fields, '', JSON.parse(sent));
  } catch {
    addForm(sent);
  }
  return fields;
};

const redirectOf = ({ headers, url }: VisitedCall, names: KnownNames | null): string[] => {
  const { location } = headers;
  return location !== undefined && URL.canParse(location, url) ? [addressOf(new URL(location, url).href, names)] : [];
};

const typeOf = ({ headers }: VisitedCall): string =>
  (headers['content-type'] ?? 'none').replace(/;.*$/s, '').trim().toLowerCase().slice(0, 60);

const mergeBodies = (shapes: readonly BodyShape[]): BodyShape[] =>
  [...Map.groupBy(shapes, ({ kind }) => kind).values()].map((own) => own.reduce(mergeShapes));

const callShape = (observed: readonly VisitedCall[], showable: Showable): CallShape => {
  const [first] = observed as [VisitedCall];
  const bytes = observed.map(({ body }) => body.length);
  return {
    ...{
      step: first.step,
      method: first.method,
      address: addressOf(first.url, showable.names),
      times: observed.length,
    },
    sent: Object.assign({}, ...observed.map(sentFields)),
    statuses: countNames(observed.map(({ status }) => String(status))),
    types: countNames(observed.map(typeOf)),
    sizes: [sizeClass(Math.min(...bytes)), sizeClass(Math.max(...bytes))],
    redirects: [...new Set(observed.flatMap((call) => redirectOf(call, showable.names)))].sort(),
    cookies: countNames(observed.flatMap(({ cookies }) => [...new Set(cookies)]).map((cookie) => nameOrKind(cookie))),
    bodies: mergeBodies(observed.map(({ body }) => readShape(body, showable))),
  };
};

/** @param showable what the report may show; everything else is described by its kind */
export const buildReport = (
  { source, observed, loginStop, scopes }: Visit,
  day: string,
  showable: Showable,
): ContactReport => {
  const groups = Map.groupBy(observed, (one) =>
    JSON.stringify([one.step, one.method, addressOf(one.url, showable.names)]),
  );
  return { source, day, loginStop, scopes, calls: [...groups.values()].map((own) => callShape(own, showable)) };
};
