/**
 * The credentials in the form that the manifest's schema accepts. Any other form is our own mistake, not the owner's.
 */
import { rutIn } from '../parsing/request.ts';
import type { JsonObject } from '../source.ts';

export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
  /** `76543210-3` */
  companyRut: string;
}

const text = (credentials: JsonObject, name: string): string => {
  const value = credentials[name];
  if (typeof value !== 'string' || value === '') throw new Error(`credentials without ${name}`);
  return value;
};

export const readClientId = (credentials: JsonObject): string => text(credentials, 'client_id').trim();

export const readCredentials = (credentials: JsonObject): ClientCredentials => ({
  clientId: readClientId(credentials),
  clientSecret: text(credentials, 'client_secret'),
  companyRut: rutIn(credentials, 'company_rut'),
});
