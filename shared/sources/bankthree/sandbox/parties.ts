/** Invented names and texts, as they stand in statements: up to 50 characters, with Ñ and accents. */
import type { Random } from '../../sandbox-kit/random.ts';

const TRADES = ['COMERCIAL', 'PANADERÍA', 'TRANSPORTES', 'FERRETERÍA', 'VIÑA', 'AGRÍCOLA', 'IMPRENTA', 'COMPAÑÍA'];
const NAMES = ['ÑANDÚ', 'AÑIL', 'EL PEÑÓN', 'LOS ÑIRES', 'CAÑETE', 'SAN JOSÉ', 'LA UNIÓN', 'PEÑALOLÉN', 'INVENTOS'];
const FORMS = ['SPA', 'LTDA', 'S.A.', 'E.I.R.L.'];

/** Of whom the statements are: never without an Ñ, which slips columns when it is read as UTF-8. */
export const ownName = (random: Random): string => `COMPAÑÍA ${random.pick(NAMES)} ${random.pick(FORMS)}`;

const companyName = (random: Random): string => `${random.pick(TRADES)} ${random.pick(NAMES)} ${random.pick(FORMS)}`;

const CHARGES = ['PAGO PROVEEDOR', 'TRANSFERENCIA A', 'PAGO REMUNERACIÓN', 'CHEQUE COBRADO', 'PAGO PREVISIONAL'];
const CREDITS = ['TRANSFERENCIA DE', 'DEPÓSITO', 'ABONO DE', 'VALE VISTA DE'];
/** Fixed fees: equal ones on one day are the rule, and some texts look like other columns. */
export const FEES = ['COMISIÓN MANTENCIÓN CUENTA', 'IVA COMISIÓN', 'COMISIÓN C+ 1,00', 'INTERÉS LÍNEA DE CRÉDITO'];

export const textOf = (random: Random, isCharge: boolean): string =>
  `${random.pick(isCharge ? CHARGES : CREDITS)} ${companyName(random)}`.slice(0, 50);
