/** Counts and sums of a ticket's tenders. They are compared with the rows that a sync stored. */
import { type Tally, tally } from '../../sandbox-kit/tally.ts';
import { toMs } from './clock.ts';
import type { ProcurementCredential } from './credentials.ts';
import type { FileModel } from './parts.ts';
import type { State } from './state.ts';
import { deriveState, type TenderModel } from './tender.ts';

export type { Tally } from '../../sandbox-kit/tally.ts';

export type Ledger = Record<string, { now: Tally & { by: Record<string, Tally> } }>;

/** Converts an amount to hundredths. Amounts have at most two decimals, and a missing amount counts as 0. */
const hundredths = (amount: string | number | null): number => Math.round(Number(amount ?? 0) * 100);

const tallyOf = (field: string | null, amounts: readonly (string | number | null)[]): Tally =>
  tally(amounts, field === null ? {} : { [field]: hundredths }, 2);

const bytes = ({ kb }: FileModel): number => kb * 1024;

/** Returns the amounts of a tender's rows, by scope. */
const rowsOf = (
  state: State,
  entry: ProcurementCredential,
  tender: TenderModel,
): Record<keyof typeof FIELDS, (string | number | null)[]> => {
  const isBlocked = entry.behaviour === 'blocked_listing';
  const anexos = isBlocked ? [] : tender.anexos.map(bytes);
  const isOpened = deriveState(tender, state.now()) !== 5;
  return {
    licitaciones: [tender.monto],
    // Neither the second listing nor the signed terms show a size.
    documentos: [...(tender.hasTerms ? [null] : []), ...anexos, ...tender.antecedentes.map(() => null)],
    preguntas: tender.preguntas.filter(({ fecha }) => state.now() >= toMs(fecha)).map(() => null),
    ofertas: isOpened ? tender.ofertas.map(({ total }) => total) : [],
  };
};

const FIELDS = {
  licitaciones: 'monto_estimado',
  documentos: 'tamano',
  preguntas: null,
  ofertas: 'total_oferta',
} as const;

export const buildLedger = (state: State, ticket: string): Ledger => {
  const entry = state.byTicket.get(ticket);
  const tenders = (entry?.metadata.codigos ?? []).flatMap((codigo) => state.tender(codigo) ?? []);
  const rows = tenders.map((tender) => ({ codigo: tender.codigo, rows: rowsOf(state, entry!, tender) }));
  const scopes = Object.entries(FIELDS) as [keyof typeof FIELDS, string | null][];
  return Object.fromEntries(
    scopes.map(([scope, field]) => [
      scope,
      {
        now: {
          ...tallyOf(
            field,
            rows.flatMap((own) => own.rows[scope]),
          ),
          by: Object.fromEntries(rows.map((own) => [own.codigo, tallyOf(field, own.rows[scope])])),
        },
      },
    ]),
  );
};
