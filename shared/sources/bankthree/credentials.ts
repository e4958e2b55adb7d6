/** What the credentials of a connection say. They passed the manifest's schema; anything else here is our own fault. */
import { normalizeRut } from '#shared/values/rut.ts';
import type { JsonObject } from '../source.ts';

const rutIn = (credentials: JsonObject, ...names: string[]): string => {
  const spelling = names.map((name) => credentials[name]).find((value) => typeof value === 'string' && value !== '');
  const rut = typeof spelling === 'string' ? normalizeRut(spelling) : undefined;
  if (rut === undefined) throw new Error(`credentials without a valid ${names.join(' or ')}`);
  return rut;
};

export const loginRut = (credentials: JsonObject): string => rutIn(credentials, 'rut');

/** The company that every statement must name. */
export const companyRut = (credentials: JsonObject): string => rutIn(credentials, 'company_rut', 'rut');
