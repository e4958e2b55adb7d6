/** Invented names and texts in the form of statements: up to 50 characters, with Ñ and accents. */
import { companyName, wordsWith } from '../../sandbox-kit/parties.ts';
import type { Random } from '../../sandbox-kit/random.ts';

const WORDS = wordsWith(['COMPAÑÍA'], ['INVENTOS']);

/** Returns the name of the statement's owner. It always has an Ñ, which shifts columns if the file is read as UTF-8. */
export const ownName = (random: Random): string => `COMPAÑÍA ${random.pick(WORDS.names)} ${random.pick(WORDS.forms)}`;

const CHARGES = ['PAGO PROVEEDOR', 'TRANSFERENCIA A', 'PAGO REMUNERACIÓN', 'CHEQUE COBRADO', 'PAGO PREVISIONAL'];
const CREDITS = ['TRANSFERENCIA DE', 'DEPÓSITO', 'ABONO DE', 'VALE VISTA DE'];
/** Fixed fees. Two equal fees on one day are normal, and some texts look like the content of other columns. */
export const FEES = ['COMISIÓN MANTENCIÓN CUENTA', 'IVA COMISIÓN', 'COMISIÓN C+ 1,00', 'INTERÉS LÍNEA DE CRÉDITO'];

export const makeText = (random: Random, isCharge: boolean): string =>
  `${random.pick(isCharge ? CHARGES : CREDITS)} ${companyName(random, WORDS)}`.slice(0, 50);
