/**
 * Selects the company whose data is read. The portal stores the selection in the session: after a wrong selection it
 * shows another company's money.
 */
import { normalizeRut, splitRut } from '#shared/values/rut.ts';
import { isObject } from '../parsing/bodies.ts';
import { unexpected } from '../parsing/results.ts';
import { type AnswerPlace, present, unreadable } from '../parsing/values.ts';
import { type Json, type JsonObject, SourceError, type SourceIo } from '../source.ts';
import { exchange } from './exchange.ts';
import type { OpenSession } from './session.ts';
import { readKey } from './values.ts';
import { COMPANIES_URL, SELECT_COMPANY_URL } from './wire.ts';

/** Converts a RUT to 10 characters, zero-padded, without dots and dash (banks.md §3.1). */
export const wireRut = (rut: string): string => {
  const { body, checkDigit } = splitRut(rut);
  return `${body}${checkDigit}`.padStart(10, '0');
};

/** Returns the RUT of the company that an answer is about. */
export const companyIn = (body: JsonObject, what: string): string => {
  const place: AnswerPlace = { answerKey: what, row: 0 };
  const spelling = readKey(body, 'rutEmpresa', place);
  const rut = normalizeRut(spelling);
  if (rut === undefined) throw unreadable(place, 'rutEmpresa', 'is not a RUT');
  return rut;
};

interface ListedCompany {
  rut: string;
  isSelected: boolean;
}

const readCompanies = (body: Json): ListedCompany[] => {
  if (!Array.isArray(body)) throw unexpected('companies', 'the answer is not a list');
  return body.map((entry, i) => {
    const place: AnswerPlace = { answerKey: 'companies', row: i + 1 };
    if (!isObject(entry)) throw unreadable(place, 'row', 'is not an object');
    const isSelected = present(entry, 'seleccionada', place);
    if (typeof isSelected !== 'boolean') throw unreadable(place, 'seleccionada', 'is neither true nor false');
    return { rut: companyIn(entry, 'companies'), isSelected };
  });
};

const wrongCompany = (why: string): SourceError => new SourceError('source.wrong_company', `companies: ${why}`);

export const selectCompany = async (open: OpenSession, io: SourceIo, rut: string): Promise<void> => {
  const what = 'company selection';
  const call = { what, url: SELECT_COMPANY_URL, body: { rutEmpresa: wireRut(rut) } };
  const { verdict } = await exchange(open, io, call);
  if (verdict.kind === 'foreign') throw wrongCompany('this login may not read the company');
  if (verdict.kind !== 'data' || !isObject(verdict.body)) throw unexpected(what, 'was not answered');
  if (companyIn(verdict.body, what) !== rut) throw wrongCompany('another company was selected');
};

const askCompanies = async (open: OpenSession, io: SourceIo): Promise<ListedCompany[]> => {
  const { verdict } = await exchange(open, io, { what: 'companies', url: COMPANIES_URL });
  if (verdict.kind !== 'data') throw unexpected('companies', 'was not answered');
  return readCompanies(verdict.body);
};

/** Returns the RUT of the selected company; undefined when no company or several companies are selected. */
export const selectedCompany = async (open: OpenSession, io: SourceIo): Promise<string | undefined> => {
  const [selected, another] = (await askCompanies(open, io)).filter(({ isSelected }) => isSelected);
  return another === undefined ? selected?.rut : undefined;
};

/**
 * Selects the company `wanted`. If `wanted` is undefined, selects the company that the portal has already selected, or
 * else the login's only company.
 */
export const chooseCompany = async (open: OpenSession, io: SourceIo, wanted: string | undefined): Promise<string> => {
  const companies = await askCompanies(open, io);
  if (companies.length === 0) throw wrongCompany('this login has no company');
  const selected = companies.filter(({ isSelected }) => isSelected);
  const [chosen, another] =
    wanted === undefined ? (selected.length > 0 ? selected : companies) : companies.filter(({ rut }) => rut === wanted);
  if (chosen === undefined) throw wrongCompany('this login may not read the company');
  if (another !== undefined && another.rut !== chosen.rut)
    throw wrongCompany('there are several and none is selected: the connection must name one');
  if (!chosen.isSelected) await selectCompany(open, io, chosen.rut);
  return chosen.rut;
};
