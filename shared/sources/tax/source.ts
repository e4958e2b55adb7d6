/** The tax authority as a source: login, register (scope `rcv`), logout. The wire: tax.md. */
import { normalizeRut } from '#shared/domain/rut.ts';
import type { JsonObject, SourceAdapter } from '../source.ts';
import { createRegisterClient } from './client.ts';
import { login, logout } from './login.ts';
import { manifest } from './manifest.ts';
import { parseRegister } from './rcv-parse.ts';
import { pullRegister } from './rcv-pull.ts';
import { withSession } from './session.ts';

/** Credentials passed the manifest's schema when they were given; anything else here is our own fault. */
const rutIn = (credentials: JsonObject, ...names: string[]): string => {
  const spelling = names.map((name) => credentials[name]).find((value) => typeof value === 'string' && value !== '');
  const rut = typeof spelling === 'string' ? normalizeRut(spelling) : undefined;
  if (rut === undefined) throw new Error(`credentials without a valid ${names.join(' or ')}`);
  return rut;
};

const loginRut = (credentials: JsonObject): string => rutIn(credentials, 'rut');
const companyRut = (credentials: JsonObject): string => rutIn(credentials, 'company_rut', 'rut');

const requireRcv = (scope: string): void => {
  if (scope !== 'rcv') throw new Error(`the tax source has no scope "${scope}"`);
};

export const source: SourceAdapter = {
  manifest,
  loginOf: loginRut,
  connect: ({ credentials }, io) => login(loginRut(credentials), String(credentials.password), io),
  disconnect: logout,
  pull: async ({ scope, period, credentials }, session, ask, io, progress) => {
    requireRcv(scope);
    if (period === null) throw new Error('the register is read by month');
    const register = { company: companyRut(credentials), user: loginRut(credentials), period };
    await withSession(session, io, (open) => pullRegister(register, createRegisterClient(open, io), ask, io, progress));
  },
  parse: ({ scope, credentials }, answers) => {
    requireRcv(scope);
    return parseRegister(companyRut(credentials), answers);
  },
};
