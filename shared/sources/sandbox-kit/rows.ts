/** Rows of a table of credentials. */
import type { SourceErrorCode } from '#shared/values/sync-errors.ts';
import type { SandboxCredential } from './credential.ts';
import { makeRut } from './parties.ts';

/** By scope, or the one code with which all of them end. */
export type Outcomes = SourceErrorCode | Readonly<Record<string, SourceErrorCode>>;

export const listOutcomes = (outcomes: Outcomes): Readonly<Record<string, SourceErrorCode>> =>
  typeof outcomes === 'string' ? { '*': outcomes } : outcomes;

/** Bodies of the RUT that logs in and of the company that it reads, where that is another. */
export type Bodies = readonly [login: number, company?: number | undefined];

export interface RutCredential<Behaviour extends string> extends SandboxCredential<Behaviour> {
  credentials: { rut: string; password: string } & { company_rut?: string };
  metadata: Record<string, never>;
}

/** For an institution whose logins are RUTs, all with one password. */
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
