/** Which methods a path answers: for the route that takes whatever no other route takes. */
import { ROUTES } from './routes.gen.ts';

const fits = (template: string, path: string): boolean => {
  const [wanted, sent] = [template.split('/'), path.split('/')];
  return (
    wanted.length === sent.length &&
    wanted.every((part, at) => (part.startsWith('{') ? sent[at] !== '' : part === sent[at]))
  );
};

/** Sorted; empty for an unknown path. */
export const listMethods = (path: string): string[] => {
  const methods = ROUTES.filter((route) => fits(route.path, path)).map(({ method }) => method);
  return [...new Set<string>(methods)].sort();
};
