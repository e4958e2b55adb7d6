/** Route selection of an HTTP API: a full match first, then a greedy one, then `$default`; `ANY` yields to a method. */
import type { RouteModel } from './model.ts';

export interface RouteMatch {
  route: RouteModel;
  params: Record<string, string>;
}

interface Pattern {
  route: RouteModel;
  method: string;
  segments: string[];
  /** Sorts before others: literal segments before parameters before `{proxy+}`, a method before `ANY`. */
  rank: string;
}

const rankOf = (segments: string[], method: string): string => {
  const kinds = segments.map((segment) => (segment.endsWith('+}') ? '2' : segment.startsWith('{') ? '1' : '0'));
  const greedy = kinds.includes('2') ? '1' : '0';
  // Shorter greedy routes are less specific: '~' sorts behind every digit.
  return `${greedy}${kinds.join('')}~${method === 'ANY' ? '1' : '0'}`;
};

const match = (pattern: string[], path: string[]): Record<string, string> | undefined => {
  const params: Record<string, string> = {};
  for (const [index, segment] of pattern.entries()) {
    const value = path[index];
    if (segment.endsWith('+}')) {
      const rest = path.slice(index).join('/');
      return rest === '' ? undefined : { ...params, [segment.slice(1, -2)]: rest };
    }
    if (value === undefined) return undefined;
    if (!segment.startsWith('{')) {
      if (segment !== value) return undefined;
    } else if (value === '') return undefined;
    else params[segment.slice(1, -1)] = value;
  }
  return path.length === pattern.length ? params : undefined;
};

const segmentsOf = (path: string): string[] => path.split('/').slice(1);

/** `path` is URL-decoded: an HTTP API decodes before it matches, so that `a%2Fb` is two segments. */
export const createRouter = (
  routes: readonly RouteModel[],
): ((method: string, path: string) => RouteMatch | undefined) => {
  const fallback = routes.find(({ routeKey }) => routeKey === '$default');
  const patterns = routes
    .filter((route) => route !== fallback)
    .map((route): Pattern => {
      const [method = '', path = ''] = route.routeKey.split(' ');
      const segments = segmentsOf(path);
      return { route, method, segments, rank: rankOf(segments, method) };
    })
    .sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0));
  return (method, path) => {
    const segments = segmentsOf(path);
    for (const pattern of patterns) {
      if (pattern.method !== method && pattern.method !== 'ANY') continue;
      const params = match(pattern.segments, segments);
      if (params) return { route: pattern.route, params };
    }
    return fallback ? { route: fallback, params: {} } : undefined;
  };
};
