/** The portfolio of the sandboxes: each institution knows the same companies, and no other login has one of them. */
import { expect, test } from 'vitest';
import * as bankone from '#shared/sources/bankone/sandbox/credentials.ts';
import * as bankthree from '#shared/sources/bankthree/sandbox/credentials.ts';
import * as banktwo from '#shared/sources/banktwo/sandbox/credentials.ts';
import type { SandboxCredential } from '#shared/sources/sandbox-kit/credential.ts';
import { makeRut } from '#shared/sources/sandbox-kit/parties.ts';
import { PORTFOLIO_COMPANIES } from '#shared/sources/sandbox-kit/portfolio.ts';
import * as tax from '#shared/sources/tax/sandbox/credentials.ts';

const COMPANIES = PORTFOLIO_COMPANIES.map(({ company }) => makeRut(company));

const byCredentials = ({ credentials: { company_rut, rut } }: SandboxCredential): string => company_rut ?? rut!;

test.each<
  [
    string,
    { SANDBOX_CREDENTIALS: readonly SandboxCredential[]; PORTFOLIO: readonly SandboxCredential[] },
    (entry: SandboxCredential) => string,
  ]
>([
  ['bankone', bankone, bankone.findCompany],
  ['banktwo', banktwo, byCredentials],
  ['bankthree', bankthree, byCredentials],
  ['tax', tax, byCredentials],
])('%s', (_, { SANDBOX_CREDENTIALS: listed, PORTFOLIO: portfolio }, companyBy) => {
  expect(portfolio.map(companyBy)).toEqual(COMPANIES);
  const all = [...listed, ...portfolio];
  expect(new Set(all.map(({ credentials }) => Object.values(credentials)[0])).size).toBe(all.length);
  expect(listed.filter((entry) => COMPANIES.includes(companyBy(entry)))).toEqual([]);
});
