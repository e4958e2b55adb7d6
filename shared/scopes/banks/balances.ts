/**
 * Balances of a bank. Every sync adds an observation per account and currency. Account and currency are part of the
 * row's key, so the newest observation of an account is found without reading the observations of other accounts.
 */
import * as z from 'zod';
import { santiagoDay } from '#shared/values/dates.ts';
import { instant, text, uuid } from '#shared/values/fields.ts';
import { DAYS_IN_ORDER, dayRange, daysInOrder, defineScope, noSyncMetadata, page } from '../scope.ts';

const identity = {
  numero_cuenta: text().min(1),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be an ISO currency')
    .describe('ISO 4217.')
    .meta({ examples: ['CLP'] }),
  observed_at: instant().describe('When the bank was asked.'),
};

type Observation = z.infer<z.ZodObject<typeof identity>>;

/** TypeScript does not resolve the fields of a row whose schema is generic. */
const observationIn = (row: object): Observation => row as Observation;

const filters = z
  .strictObject({
    latest: z
      .literal(true)
      .optional()
      .describe('Only `true`: the newest observation per account and currency, after the other filters, on one page.'),
    currency: z
      .string()
      .regex(/^[A-Za-z]{3}$/, 'must be three letters')
      .optional()
      .describe('Currency code, upper or lower case.')
      .meta({ examples: ['CLP'] }),
    ...dayRange('`observed_at`'),
    ...page,
  })
  .refine(daysInOrder, DAYS_IN_ORDER);

export const defineBalances = <const S extends string, const A extends z.core.$ZodLooseShape>(
  source: S,
  amounts: A,
) => {
  const parsed = z.object({ ...identity, ...amounts });
  return defineScope({
    source,
    name: 'balances',
    label: 'Saldos',
    resource: `${source}-balances`,
    periodic: false,
    parsed,
    listRow: z.object({ id: uuid(), ...identity, ...amounts }),
    fullRow: null,
    naturalKey: (row) => {
      const { numero_cuenta, currency, observed_at } = observationIn(row);
      return [numero_cuenta, currency, observed_at];
    },
    eventDay: (row) => santiagoDay(Date.parse(observationIn(row).observed_at)),
    eventInstant: (row) => observationIn(row).observed_at,
    facets: {},
    openFacets: ['numero_cuenta', 'currency'],
    filters,
    syncMetadata: noSyncMetadata,
    /** Agents get no sums, because observations of one balance at several times cannot be added. */
    agent: { columns: ['id', ...Object.keys(identity), ...Object.keys(amounts)], sums: [], groups: [] },
    document: null,
  });
};
