import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { ApiError, notFound } from '#shared/http/response/errors.ts';
import { findSimilarPath, listMethods } from '#shared/http/routes.ts';
import { contract } from './contract.ts';

const HELP = 'Not found. Paths of the API begin with /api and are described at /docs.';

const helpWith = (path: string): string => {
  const similar = findSimilarPath(path);
  return similar === undefined ? HELP : `Not found. The path is ${similar}. All paths are described at /docs.`;
};

const answerUnknownRoute: Logic<typeof contract> = async ({ route }) => {
  const methods = listMethods(route.path);
  if (methods.length === 0) throw notFound('not_found', helpWith(route.path));
  const allow = methods.join(', ');
  throw new ApiError('method_not_allowed', `This path answers ${allow} only.`, { headers: { allow } });
};

export const handler = endpoint(contract, answerUnknownRoute);
