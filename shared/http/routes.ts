/** Finds the methods of a path, for the route that takes every unmatched request. */
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
