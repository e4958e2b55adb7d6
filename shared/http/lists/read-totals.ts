/** Logic of all endpoints that return the totals of a list. */
import type { Big } from 'big.js';
import type { Answer } from '#shared/http/endpoint.ts';
import { ApiError } from '#shared/http/response/errors.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import { sumNet } from '#shared/rows/read/period-sums.rules.ts';
import { sumMatching, TooMuchToSum } from '#shared/rows/read/sum-rows.store.ts';
import type { SummedScope } from '#shared/scopes/scope.ts';
import { buildAddress, type Filters, findListSummary, type ReadInput, readFilter } from './read-rows.ts';

/** Filters that do not reduce the number of rows that must be read. */
const NO_HELP: ReadonlySet<string> = new Set(['limit', 'offset', 'q']);
const MONTH_FILTERS = ['period', 'from', 'to'];

const refuseTooMuch =
  ({ filters }: SummedScope) =>
  (error: unknown): never => {
    if (!(error instanceof TooMuchToSum)) throw error;
    const { count, noun } = error;
    const max = noun === 'rows' ? ROW_LIMITS.summedRowsMax : ROW_LIMITS.summedMonthsMax;
    const helpful = noun === 'rows' ? Object.keys(filters.shape).filter((name) => !NO_HELP.has(name)) : MONTH_FILTERS;
    throw new ApiError(
      'validation_error',
      `the totals need ${count} ${noun}, more than ${max}: narrow them by ${helpful.join(', ')}`,
      { cause: error },
    );
  };

const plain = (sums: Readonly<Record<string, Big>>): Record<string, string> =>
  Object.fromEntries(Object.entries(sums).map(([field, sum]) => [field, sum.toFixed()]));

/** Returns the logic of the totals of a list: the sums of the rows that the list returns under the same filters. */
export const sumList =
  (scope: SummedScope) =>
  async (input: ReadInput & { query: Filters }): Promise<Answer> => {
    const address = buildAddress(input, scope);
    const summary = await findListSummary(address, scope);
    const request = { address, scope, filter: readFilter(input.query) };
    const found = await sumMatching(request, summary).catch(refuseTooMuch(scope));
    const isSigned = scope.agent.subtracted !== undefined;
    const groups = found.map(({ group, isSubtracted, rows, sums }) => ({
      group,
      rows,
      ...(isSigned ? { is_subtracted: isSubtracted } : {}),
      sums: plain(sums),
    }));
    const net = sumNet(scope.agent, found).map(({ group, sums }) => ({ group, sums: plain(sums) }));
    const rows = found.reduce((sum, each) => sum + each.rows, 0);
    return { status: 200, body: { data: { rows, groups, ...(isSigned ? { net } : {}) } } };
  };
