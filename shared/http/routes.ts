/** Finds the methods of a path, and a similar path, for the route that takes every unmatched request. */
import { ROUTES } from './routes.gen.ts';

const fits = (template: string, path: string): boolean => {
  const [wanted, sent] = [template.split('/'), path.split('/')];
  return (
    wanted.length === sent.length &&
    wanted.every((part, at) => (part.startsWith('{') ? sent[at] !== '' : part === sent[at]))
  );
};

/** Returns the sorted methods of a path; an empty list for an unknown path. */
export const listMethods = (path: string): string[] => {
  const methods = ROUTES.filter((route) => fits(route.path, path)).map(({ method }) => method);
  return [...new Set<string>(methods)].sort();
};

const BASE = '/api/';

/** Returns the segments below `/api` without what is often mistaken: case, `_` for `-`, plural, version, empty segments. */
const comparable = (path: string): string[] =>
  path
    .toLowerCase()
    .split('/')
    .map((segment) => (segment.startsWith('{') ? '{}' : segment.replaceAll(/[-_]/g, '').replace(/s$/, '')))
    .filter((segment, at) => segment !== '' && !(at <= 2 && /^(?:api|v\d+)$/.test(segment)));

const API_PATHS = [...new Set(ROUTES.map(({ path }) => path).filter((path) => path.startsWith(BASE)))].map((path) => ({
  path,
  segments: comparable(path),
}));

/** Returns the template of the API's path that the sent path resembles; undefined if it resembles none. */
export const findSimilarPath = (sent: string): string | undefined => {
  const segments = comparable(sent);
  const isSimilar = (other: string[]) =>
    other.length === segments.length && other.every((each, at) => each === '{}' || each === segments[at]);
  const similar = API_PATHS.filter((each) => isSimilar(each.segments));
  return (similar.find((each) => !each.segments.includes('{}')) ?? similar[0])?.path;
};
