/** Coverage as the API returns it: the state of a connection's months, and whether they tie out (docs/adr/0032). */
import Big from 'big.js';
import * as z from 'zod';
import type { Connection } from '#shared/connections/connection.rules.ts';
import type { ComparedGroup, Difference } from '#shared/rows/item/totals.rules.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import type { PeriodCoverage, PeriodDetail, StoredScopeCoverage } from '#shared/sync/coverage/read-coverage.ts';
import { decimal, instant, period, uuid } from '#shared/values/fields.ts';

const VERDICTS = ['equal', 'differs', 'not_told'] as const;
const STATES = ['complete', 'partial', 'never'] as const;
const ATTEMPT_STATUSES = ['ok', 'partial', 'failed', 'cancelled'] as const;

const verdict = () =>
  z
    .enum(VERDICTS)
    .describe(
      "equal: the stored rows add up to the institution's own totals; differs: some figure does not; not_told: there " +
        'is nothing to compare.',
    );

const group = () =>
  z
    .record(z.string(), z.string())
    .describe('The part of the month that the total covers: values by name, such as direction and document_type.')
    .meta({ examples: [{ direction: 'received', estado: 'registro', document_type: '33' }] });

const figure = () =>
  z
    .string()
    .describe('`rows`, the summed field, or a figure of a statement: opening, charges, credits, closing.')
    .meta({ examples: ['total_amount'] });

export const Figure = z
  .object({
    group: group(),
    figure: figure(),
    institution: decimal().describe('The figure that the institution reports.'),
    ours: decimal().describe('The sum of the stored rows.'),
    difference: decimal().describe('`ours` minus `institution`. Negative if too little is stored.'),
  })
  .meta({ id: 'Figure' });

const periodShape = {
  period: period()
    .nullable()
    .describe('Null for a scope without months, such as balances.')
    .meta({ examples: ['2026-10'] }),
  rows: z
    .int()
    .describe('Number of rows stored now.')
    .meta({ examples: [152] }),
  state: z
    .enum(STATES)
    .describe(
      'complete: the last attempt read the month and stored it completely; partial: the rows are from an earlier reading or ' +
        'incomplete, or the month was last read before its end; never: the institution never showed data of the month.',
    ),
  reason: z
    .string()
    .nullable()
    .describe('Why the month is not complete: code of an error or notice, read_before_month_end, or half_written.')
    .meta({ examples: [null] }),
  is_open: z.boolean().describe('The month is not over, or some of its rows are provisional.'),
  as_of: instant().nullable().describe('When the stored data was requested from the institution.'),
  verdict: verdict(),
  differences: z
    .array(Figure)
    .max(ROW_LIMITS.differencesMax)
    .describe('The first figures that differ.')
    .meta({ examples: [[]] }),
};

export const PeriodCoverageView = z.object(periodShape).meta({ id: 'PeriodCoverage' });

export const ScopeCoverageView = z
  .object({
    scope: z.string().meta({ examples: ['rcv'] }),
    last_success_at: instant().nullable(),
    last_attempt: z
      .object({
        sync_run_id: uuid(),
        status: z.enum(ATTEMPT_STATUSES).meta({ examples: ['ok'] }),
        finished_at: instant(),
        error_code: z
          .string()
          .nullable()
          .meta({ examples: [null] }),
      })
      .nullable()
      .describe('Result of the scope in the run that ended last. Null if no run has ended.'),
    periods: z
      .array(PeriodCoverageView)
      .describe('Months that were requested or have rows, newest first. Empty for scopes that are read by tender.'),
  })
  .meta({ id: 'ScopeCoverage' });

const { differences: _, ...cellShape } = periodShape;

export const ConnectionCoverageView = z
  .object({
    connection_id: uuid(),
    external_source_code: z.string().meta({ examples: ['tax'] }),
    name: z.string().meta({ examples: ['Mi empresa'] }),
    company_name: z
      .string()
      .nullable()
      .describe("`metadata.company_name` of the connection. Null if the connection's metadata has no such name.")
      .meta({ examples: [null] }),
    company_rut: z
      .string()
      .nullable()
      .describe("`metadata.company_rut` of the connection. Null if the connection's metadata has no such RUT.")
      .meta({ examples: [null] }),
    scopes: z
      .array(
        z.object({
          scope: z.string().meta({ examples: ['rcv'] }),
          periods: z
            .array(z.object(cellShape))
            .describe(
              'Months of the range that were requested or have rows, newest first. A month that is missing was never requested.',
            ),
        }),
      )
      .describe('The enabled scopes.'),
  })
  .meta({ id: 'ConnectionCoverage' });

const TotalGroupView = z
  .object({
    group: group(),
    verdict: verdict(),
    figures: z.array(
      z.object({
        figure: figure(),
        institution: decimal().nullable().describe('Null if the institution does not report it.'),
        ours: decimal().nullable().describe('Null if the figure is not compared.'),
      }),
    ),
    rows_not_shown: z
      .object({
        rows: z.int().describe('Number of rows.'),
        ids: z.array(uuid()).describe('Ids of the first ones.'),
      })
      .nullable()
      .describe('Stored rows of the group that the institution no longer shows. Null if all are shown.')
      .meta({ examples: [null] }),
  })
  .meta({ id: 'TotalGroup' });

export const PeriodCoverageWithTotals = z
  .object({
    ...periodShape,
    totals: z.array(TotalGroupView).describe('By group, those that differ first.'),
    totals_left_out: z
      .int()
      .describe(`Further groups, above ${ROW_LIMITS.totalGroupsMax}.`)
      .meta({ examples: [0] }),
  })
  .meta({ id: 'PeriodCoverageWithTotals' });

const toFigure = ({ group: of, figure: name, institution, ours }: Difference): z.infer<typeof Figure> => ({
  group: of,
  figure: name,
  institution,
  ours,
  difference: Big(ours).minus(institution).toFixed(),
});

const toCell = (known: PeriodCoverage) => ({
  period: known.period,
  rows: known.rows,
  state: known.state,
  reason: known.reason,
  is_open: known.isOpen,
  as_of: known.asOf,
  verdict: known.verdict,
});

const toPeriodCoverage = (known: PeriodCoverage): z.infer<typeof PeriodCoverageView> => ({
  ...toCell(known),
  differences: known.differences.map(toFigure),
});

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Returns the coverage of a connection in the months from `first` to `last`, both included. */
export const toConnectionCoverage = (
  { id, source, name, metadata }: Connection,
  scopes: readonly StoredScopeCoverage[],
  [first, last]: readonly [first: string, last: string],
): z.infer<typeof ConnectionCoverageView> => ({
  connection_id: id,
  external_source_code: source,
  name,
  company_name: textOrNull(metadata.company_name),
  company_rut: textOrNull(metadata.company_rut),
  scopes: scopes.map(({ scope, periods }) => ({
    scope,
    periods: periods.filter(({ period }) => period === null || (period >= first && period <= last)).map(toCell),
  })),
});

export const toScopeCoverage = ({
  scope,
  lastSuccessAt,
  lastAttempt,
  periods,
}: StoredScopeCoverage): z.infer<typeof ScopeCoverageView> => ({
  scope,
  last_success_at: lastSuccessAt,
  last_attempt: lastAttempt && {
    sync_run_id: lastAttempt.runId,
    // An outcome is written only after the scope has ended, so its status is never `queued` or `running`.
    status: lastAttempt.status as (typeof ATTEMPT_STATUSES)[number],
    finished_at: lastAttempt.finishedAt,
    error_code: lastAttempt.errorCode,
  },
  periods: periods.map(toPeriodCoverage),
});

const toTotalGroup = ({
  group: of,
  verdict: so,
  figures,
  notShown,
}: ComparedGroup): z.infer<typeof TotalGroupView> => ({
  group: of,
  verdict: so,
  figures: [...figures],
  rows_not_shown: notShown ? { rows: notShown.rows, ids: [...notShown.ids] } : null,
});

export const toPeriodCoverageWithTotals = ({
  totals,
  ...known
}: PeriodDetail): z.infer<typeof PeriodCoverageWithTotals> => ({
  ...toPeriodCoverage(known),
  totals: totals.groups.map(toTotalGroup),
  totals_left_out: totals.leftOut,
});
