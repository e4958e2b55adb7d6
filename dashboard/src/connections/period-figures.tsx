/** The figures of one month of a scope: the institution's totals next to the totals of the stored rows. */
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, must, type Schemas } from '../api/client.ts';
import { Read } from '../problem/read.tsx';
import { count } from '../text/format.ts';
import { month } from '../text/month.ts';
import { coverageTexts } from './coverage-texts.ts';
import { type ApiTotalGroup, arrangeFigures } from './figures.ts';
import { FiguresTable } from './figures-table.tsx';
import { findGroupCurrency } from './group-currency.ts';
import { useAccountCurrencies } from './use-account-currencies.ts';

export interface ScopeMonth {
  connectionId: string;
  source: string;
  scope: string;
  /** Label of the scope. */
  label: string;
  period: string;
  /** Name of the connection, where figures of several are shown. */
  connection?: string;
}

/** Groups whose amounts are in the currency of an account or of a batch, which the group does not name. */
const isOfAccount = ({ group }: ApiTotalGroup): boolean =>
  group.numero_cuenta !== undefined || group.numero_nomina !== undefined;

const Figures = ({ of, totals }: { of: ScopeMonth; totals: Schemas['PeriodCoverageWithTotals'] }) => {
  const say = coverageTexts.useTexts();
  const { totals: groups, totals_left_out: more, verdict } = totals;
  const currencies = useAccountCurrencies(of, groups.some(isOfAccount));
  if (groups.length === 0) return <Text size="sm">{say(verdict === 'equal' ? 'detail.nothing' : 'detail.empty')}</Text>;
  const name = say('figures.table', { scope: of.label, period: month(of.period) });
  const isUnclear = groups.some((each) => isOfAccount(each) && findGroupCurrency(currencies, each.group) === undefined);
  return (
    <Stack gap="xs">
      <FiguresTable
        table={arrangeFigures(groups, more === 0)}
        label={of.connection === undefined ? name : `${name}, ${of.connection}`}
        currencies={currencies}
      />
      {isUnclear && <Text size="sm">{say('figures.currency')}</Text>}
      {more > 0 && <Text size="sm">{say('detail.more', { count: more, number: count(more) })}</Text>}
    </Stack>
  );
};

export const PeriodFigures = ({ of }: { of: ScopeMonth }) => {
  const { connectionId: id, scope, period } = of;
  const query = useQuery({
    queryKey: ['connections', id, 'coverage', scope, period],
    queryFn: ({ signal }) =>
      must(api.GET('/connections/{id}/coverage/{scope}/{period}', { params: { path: { id, scope, period } }, signal })),
  });
  return <Read query={query}>{({ data }) => <Figures of={of} totals={data} />}</Read>;
};
