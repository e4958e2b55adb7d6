/**
 * The tax authority as a source: one login and one session for its three scopes, and logout. The wire is described in
 * tax.md.
 */
import { ofScope, rutIn } from '../parsing/request.ts';
import type { JsonObject, SourceAdapter } from '../source.ts';
import { withDamageTold } from '../truth/damaged-text.ts';
import { guideKeys } from './guias-keys.ts';
import { login, logout } from './login.ts';
import { manifest } from './manifest.ts';
import { registerKeys } from './rcv-keys.ts';
import { SCOPE_READERS } from './scopes.ts';
import { withSession } from './session.ts';

const loginRut = (credentials: JsonObject): string => rutIn(credentials, 'rut');
const companyRut = (credentials: JsonObject): string => rutIn(credentials, 'company_rut', 'rut');

const readerOf = (scope: string) => ofScope('the tax source', SCOPE_READERS, scope);

export const source: SourceAdapter = {
  manifest,
  loginOf: loginRut,
  connect: ({ credentials }, io) => login(loginRut(credentials), String(credentials.password), io),
  disconnect: logout,
  pull: async ({ scope, period, credentials }, context) => {
    const reader = readerOf(scope);
    if (period === null) throw new Error('the tax authority is read by month');
    const month = { company: companyRut(credentials), user: loginRut(credentials), period };
    await withSession(context.session, context.io, (open) => reader.pull(month, open, context));
  },
  parse: (request, answers) => {
    const parsed = readerOf(request.scope).parse(companyRut(request.credentials), answers);
    // The parser of the register counts damaged characters itself, because the register's files are compressed.
    return request.scope === 'rcv' ? parsed : withDamageTold(manifest.code, request, answers, parsed);
  },
  keysOf: (scope, { request }) =>
    scope === 'rcv' ? registerKeys(request) : scope === 'guias' ? guideKeys(request) : undefined,
};
