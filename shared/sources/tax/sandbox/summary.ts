/** `getResumen`: totals by type, including monthly totals of receipts (tax.md §4.2, §6.1). */
import { splitRut } from '#shared/values/rut.ts';
import { createRandom } from '../../sandbox-kit/random.ts';
import type { WireOperation } from '../wire.ts';
import { BOLETA_TYPES, type Boletas, sumOfDays } from './boletas.ts';
import { type Doc, PAPER, TYPE_NAMES } from './document.ts';

const totals = (type: number, count: number, sums: { exempt: number; net: number; vat: number; total: number }) => ({
  dcvCodigo: 910_000_001,
  rsmnCodigo: 920_000_000 + type,
  rsmnTipoDocInteger: type,
  dcvNombreTipoDoc: TYPE_NAMES[type] ?? `Documento ${type} `,
  dcvTipoIngresoDoc: PAPER.has(type) ? 'DET_PAP' : 'DET_ELE',
  rsmnLink: true,
  rsmnMntExe: sums.exempt,
  rsmnMntNeto: sums.net,
  rsmnMntIVA: sums.vat,
  rsmnMntIVANoRec: 0,
  rsmnIVAUsoComun: 0,
  dcvOperacion: null,
  rsmnFechModificacion: null,
  rsmnMntTotal: sums.total,
  rsmnEstadoContab: null,
  rsmnTotDoc: count,
  rsmnTotalRutEmisor: null,
});

const sumOf = (docs: Doc[], field: 'exempt' | 'net' | 'vat' | 'total') =>
  docs.reduce((sum, doc) => sum + doc[field], 0);

export const typeTotals = (docs: Doc[]) =>
  [...Map.groupBy(docs, ({ type }) => type)]
    .toSorted(([a], [b]) => a - b)
    .map(([type, list]) =>
      totals(type, list.length, {
        exempt: sumOf(list, 'exempt'),
        net: sumOf(list, 'net'),
        vat: sumOf(list, 'vat'),
        total: sumOf(list, 'total'),
      }),
    );

/** Returns the totals of receipts and card vouchers: one line per month, without link and without documents. */
export const monthlyTotals = (boletas: Boletas, company: string, period: string) => {
  const rows = BOLETA_TYPES.flatMap((type) => {
    const { documents, ...sums } = sumOfDays(boletas.days(company, period, type));
    return documents > 0 ? [totals(type, documents, sums)] : [];
  });
  if (rows.length === 0) return [];
  const random = createRandom(`${company}|${period}|vouchers`);
  const net = random.int(100_000, 9_000_000);
  const vat = Math.round(net * 0.19);
  const vouchers = totals(48, random.int(10, 900), { exempt: 0, net, vat, total: net + vat });
  return [...rows, vouchers].map((row) => ({ ...row, dcvTipoIngresoDoc: 'RESUMEN', rsmnLink: false }));
};

/** Returns the header of an answer. `period` is written AAAAMM. */
export const header = (company: string, period: string, operation: WireOperation) => {
  const { body, checkDigit } = splitRut(company);
  const loaded = `02/${period.slice(4)}/${period.slice(0, 4)} 08:17:45`;
  return {
    dcvPcarga: Number(period),
    dcvRutEmisor: Number(body),
    dcvDvEmisor: checkDigit,
    dcvPtributario: Number(period),
    dcvOperacion: operation,
    dcvCodigo: 910_000_001,
    dcvFctProp: ' 1,0000',
    dcvVigente: null,
    dcvFecCreacion: loaded,
    dcvFecModificacion: loaded,
    dcvNroCruceHadoop: null,
    dcvFchUltimoCruceHadoop: null,
  };
};
