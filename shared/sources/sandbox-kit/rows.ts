/** Rows of a table of credentials. */
import type { SourceErrorCode } from '#shared/values/sync-errors.ts';
import type { SandboxCredential } from './credential.ts';
import { makeRut } from './parties.ts';

/** Codes by scope, or one code for all scopes. */
export type Outcomes = SourceErrorCode | Readonly<Record<string, SourceErrorCode>>;

export const listOutcomes = (outcomes: Outcomes): Readonly<Record<string, SourceErrorCode>> =>
  typeof outcomes === 'string' ? { '*': outcomes } : outcomes;

/** RUT bodies of the person who logs in and of the company that is read, if the two differ. */
export type Bodies = readonly [login: number, company?: number | undefined];

export interface RutCredential<Behaviour extends string> extends SandboxCredential<Behaviour> {
  credentials: { rut: string; password: string } & { company_rut?: string };
  metadata: Record<string, never>;
}

/** Returns a builder of rows for an institution whose logins are RUTs that all have the same password. */
export const rowsWith =
  <Behaviour extends string>(password: string) =>
  (
    [login, company]: Bodies,
    label: string,
    behaviour: Behaviour,
    outcomes: Outcomes = {},
  ): RutCredential<Behaviour> => ({
    label,
    credentials: { rut: makeRut(login), password, ...(company !== undefined && { company_rut: makeRut(company) }) },
    metadata: {},
    behaviour,
    outcomes: listOutcomes(outcomes),
  });

export const UNREADABLE = 'source.unexpected_response';
