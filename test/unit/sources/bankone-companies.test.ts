/** Guards against another company's data: the selected company is part of the session at the bank (banks.md §3.1). */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { chooseCompany, selectCompany, selectedCompany, wireRut } from '#shared/sources/bankone/company.ts';
import type { OpenSession } from '#shared/sources/bankone/session.ts';
import { COMPANIES_URL, SELECT_COMPANY_URL } from '#shared/sources/bankone/wire.ts';
import type { SourceIo } from '#shared/sources/source.ts';

const exchange = vi.hoisted(() => vi.fn());
vi.mock('#shared/sources/bankone/exchange.ts', () => ({ exchange }));

const OURS = '70000002-8';
const OTHER = '70000003-6';
const THIRD = '70000001-K';
const open = {} as OpenSession;
const io = {} as SourceIo;
const company = (rut: string, seleccionada: boolean) => ({ rutEmpresa: wireRut(rut), seleccionada });

/** The bank's answer, by the requested URL. */
const bank = (companies: unknown, selection: object = { kind: 'data', body: { rutEmpresa: wireRut(OURS) } }): void => {
  exchange.mockImplementation(async (_open, _io, { url }: { url: string }) => ({
    verdict: url === COMPANIES_URL ? { kind: 'data', body: companies } : selection,
  }));
};
const asked = () => exchange.mock.calls.map(([, , { url }]) => url);
const refused = (code: string, message: RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) });

beforeEach(() => {
  exchange.mockReset();
});

describe('a selection', () => {
  test('is accepted when the bank says that this very company is selected', async () => {
    bank([]);
    await expect(selectCompany(open, io, OURS)).resolves.toBeUndefined();
    expect(asked()).toEqual([SELECT_COMPANY_URL]);
  });

  test.each([
    [
      'another company',
      { kind: 'data', body: { rutEmpresa: wireRut(OTHER) } },
      'source.wrong_company',
      /another company was selected/,
    ],
    ['that it is not ours to read', { kind: 'foreign' }, 'source.wrong_company', /may not read/],
    ['a list', { kind: 'data', body: [] }, 'source.unexpected_response', /not answered/],
    ['nothing', { kind: 'nothing' }, 'source.unexpected_response', /not answered/],
    ['no RUT', { kind: 'data', body: { rutEmpresa: '12' } }, 'source.unexpected_response', /rutEmpresa/],
  ])('is refused when it answers %s', async (_, selection, code, message) => {
    bank([], selection);
    await expect(selectCompany(open, io, OURS)).rejects.toEqual(refused(code, message));
  });
});

describe('the company that is read', () => {
  test.each([
    ['the wanted one, which is selected', OURS, [company(OTHER, false), company(OURS, true)], false],
    ['the wanted one, which is selected first', OURS, [company(OTHER, true), company(OURS, false)], true],
    ['the selected one', undefined, [company(OTHER, false), company(OURS, true)], false],
    ['the only one', undefined, [company(OURS, false)], true],
    ['one that is told twice', OURS, [company(OURS, true), company(OURS, true)], false],
  ])('is %s', async (_, wanted, companies, isSelectedFirst) => {
    bank(companies);
    expect(await chooseCompany(open, io, wanted)).toBe(OURS);
    expect(asked()).toEqual([COMPANIES_URL, ...(isSelectedFirst ? [SELECT_COMPANY_URL] : [])]);
  });

  test.each([
    ['the login has none', undefined, [], /has no company/],
    ['the wanted one is not among them', OURS, [company(OTHER, true)], /may not read/],
    ['several are there and none is selected', undefined, [company(OURS, false), company(OTHER, false)], /several/],
    ['several are selected', undefined, [company(OURS, true), company(OTHER, true)], /several/],
  ])('is refused where %s', async (_, wanted, companies, message) => {
    bank(companies);
    await expect(chooseCompany(open, io, wanted)).rejects.toEqual(refused('source.wrong_company', message));
    expect(asked()).toEqual([COMPANIES_URL]);
  });

  test('is known only where exactly one is selected', async () => {
    bank([company(OTHER, false), company(OURS, true)]);
    expect(await selectedCompany(open, io)).toBe(OURS);
    bank([company(OTHER, true), company(OURS, true), company(THIRD, false)]);
    expect(await selectedCompany(open, io)).toBeUndefined();
    bank([company(OTHER, false)]);
    expect(await selectedCompany(open, io)).toBeUndefined();
  });
});
