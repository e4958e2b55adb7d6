/**
 * Selects the route of an HTTP API by method and path. A route with a literal segment takes precedence over a route
 * with a parameter; if no route matches, `$default` is used.
 */
import type { RouteModel } from './model.ts';

export interface RouteMatch {
  route: RouteModel;
  params: Record<string, string>;
}

interface Pattern {
  route: RouteModel;
  method: string;
  segments: string[];
  /** Sort key of the route with one digit per segment: 0 for a literal segment, 1 for a parameter. */
  rank: string;
}

/** Returns the parameters of the path; undefined when a segment differs or a parameter is empty. */
const match = (pattern: string[], path: string[]): Record<string, string> | undefined => {
  if (path.length !== pattern.length) return undefined;
  const isMatch = pattern.every((segment, at) => (segment.startsWith('{') ? path[at] !== '' : path[at] === segment));
  if (!isMatch) return undefined;
  const params = pattern.flatMap((segment, at) => (segment.startsWith('{') ? [[segment.slice(1, -1), path[at]!]] : []));
  return Object.fromEntries(params) as Record<string, string>;
};

const segmentsOf = (path: string): string[] => path.split('/').slice(1);

/**
 * Returns a function that selects the route. `path` is URL-decoded, because an HTTP API decodes before it matches;
 * `a%2Fb` is therefore two segments.
 * @param routes all routes, including `$default`
 */
export const createRouter = (routes: readonly RouteModel[]): ((method: string, path: string) => RouteMatch) => {
  const fallback = routes.find(({ routeKey }) => routeKey === '$default')!;
  const patterns = routes
    .filter((route) => route !== fallback)
    .map((route): Pattern => {
      const [method = '', path = ''] = route.routeKey.split(' ');
      const segments = segmentsOf(path);
      return { route, method, segments, rank: segments.map((each) => (each.startsWith('{') ? '1' : '0')).join('') };
    })
    .sort((a, b) => a.rank.localeCompare(b.rank));
  return (method, path) => {
    const segments = segmentsOf(path);
    for (const pattern of patterns) {
      const params = pattern.method === method ? match(pattern.segments, segments) : undefined;
      if (params) return { route: pattern.route, params };
    }
    return { route: fallback, params: {} };
  };
};
