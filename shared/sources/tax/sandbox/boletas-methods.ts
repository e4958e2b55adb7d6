/** The service of daily receipts (tax.md §6.2, §6.3). Its codes and the forms of its empty answers are assumed. */
import { NO_RIGHTS, type Result } from './answers.ts';
import { spoil } from './behaviour.ts';
import { BOLETA_TYPES, type BoletaDay, sumOfDays } from './boletas.ts';
import { mayRead, type TaxCredential } from './credentials.ts';
import type { State } from './state.ts';

export const BOLETAS_METHODS = { obtieneListaBoletasMes: ['rut', 'dv', 'periodo', 'tipoDocumento'] } as const;

const FAULT: Result = { content: { data: null }, code: 2, message: 'Error inesperado' };
const SPOILS = { missing: 'montoTotal', malformed: ['montoTotal', '12,5'] } as const;

const rowOf = ({ day, documents, net, vat, exempt, total }: BoletaDay): Record<string, unknown> => ({
  dia: day,
  totalDocumentos: documents,
  montoNeto: net,
  montoIva: vat,
  montoExento: exempt,
  montoTotal: total,
});

export const runBoletas = (
  _method: string,
  state: State,
  account: TaxCredential,
  data: Record<string, unknown>,
): Result => {
  const company = `${data.rut}-${String(data.dv).toUpperCase()}`;
  if (!mayRead(account, company)) return { content: { data: null }, code: 99, message: NO_RIGHTS };
  const month = String(data.periodo ?? '');
  if (!/^\d{6}$/.test(month)) return FAULT;
  const type = BOLETA_TYPES.find((known) => known === Number(data.tipoDocumento));
  if (type === 41 && account.behaviour === 'exempt_refused') return FAULT;
  const days = type === undefined ? [] : state.boletas.days(company, `${month.slice(0, 4)}-${month.slice(4)}`, type);
  // The form of an empty month is unknown (§6.3), so the sandbox uses two plausible forms.
  if (days.length === 0 && type !== 41) return { content: { data: null }, code: 3, message: 'Sin datos' };
  const { documents, net, vat, exempt, total } = sumOfDays(days);
  const told = account.behaviour === 'totals_differ' ? total + 1 : total;
  return {
    content: {
      data: {
        // Strings and nulls are among the days (§6.3).
        boletas: ['Total', ...spoil(account.behaviour, days.map(rowOf), SPOILS), null],
        totalDocumentos: documents,
        montoNeto: net,
        montoIva: vat,
        montoExento: exempt,
        montoTotal: told,
      },
    },
  };
};
