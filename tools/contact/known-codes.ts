/** Closed lists of the institutions by field. Only values of these lists are shown in a report. */
import type { KnownCodes } from './body-shapes.ts';

const codes = (...values: readonly (string | number)[]): ReadonlySet<string> => new Set(values.map(String));

const DOCUMENT_TYPES = codes(
  ...[29, 30, 32, 33, 34, 35, 38, 39, 40, 41, 43, 45, 46, 48, 50, 52, 53, 55, 56, 60, 61, 101, 102, 103, 104, 105],
  ...[106, 108, 109, 110, 111, 112, 901, 902, 903, 904, 905, 906, 907, 909, 910, 911, 914, 918, 919, 920, 922, 924],
);
const CURRENCIES = codes('CLP', 'USD', 'EUR', 'CLF', 'UTM');

export const KNOWN_CODES: Readonly<Record<string, KnownCodes>> = {
  tax: {
    rsmnTipoDocInteger: DOCUMENT_TYPES,
    detTipoDoc: DOCUMENT_TYPES,
    tipoDoc: DOCUMENT_TYPES,
    dcvTipoIngresoDoc: codes('DET_ELE', 'DET_PAP', 'RESUMEN'),
    codRespuesta: codes(0, 1, 2, 3, 98, 99),
  },
  bankone: { moneda: CURRENCIES, direccion: codes('emitidas', 'recibidas', 'EMITIDAS', 'RECIBIDAS') },
  banktwo: { currency: CURRENCIES, status: codes('ACTIVE', 'CLOSED', 'BLOCKED') },
  bankthree: { MONEDA: CURRENCIES },
  procurement: {
    CodigoEstado: codes(5, 6, 7, 8, 15, 18, 19),
    Tipo: codes('L1', 'LE', 'LP', 'LQ', 'LR', 'E2', 'CO', 'B2', 'H2', 'I2', 'LS', 'O1', 'O2', 'R1'),
    Moneda: CURRENCIES,
  },
};

/** Returns all codes of a source. */
export const listCodes = (source: string): string[] =>
  Object.values(KNOWN_CODES[source] ?? {}).flatMap((list) => [...list]);
