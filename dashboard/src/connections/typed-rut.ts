/** The RUT of the company in the typed credentials. */
import { dottedRut } from '../text/rut.ts';

/** Returns the RUT of the company whose data is read: `company_rut` of the credentials, or else `rut`. */
export const findTypedRut = ({ company_rut: company, rut }: Record<string, unknown>): string | undefined => {
  const typed = [company, rut].find((each) => typeof each === 'string' && each.trim() !== '');
  return typeof typed === 'string' ? dottedRut(typed) : undefined;
};
