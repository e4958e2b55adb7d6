/**
 * The months of a scope. A month is complete, partial or never read. Its totals are equal to the institution's,
 * different (with figures) or not reported.
 */
import { Badge, Button, Group, Text } from '@mantine/core';
import type { Schemas } from '../api/client.ts';
import type { AccountCurrencies } from '../data/account-currencies.ts';
import { WideRow, WideTable, WrappedCell } from '../shell/wide-table.tsx';
import { count, instant } from '../text/format.ts';
import { month as monthText } from '../text/month.ts';
import { amountText } from './amount-text.ts';
import { describeReason } from './causes.ts';
import { coverageTexts, figureWord, shortGroupWords } from './coverage-texts.ts';
import { isCount } from './figures.ts';
import { findGroupCurrency } from './group-currency.ts';
import type { ScopeMonth } from './period-figures.tsx';
import { useAccountCurrencies } from './use-account-currencies.ts';

export type ScopeCoverage = Schemas['ScopeCoverage'];
type CoverageMonth = Schemas['PeriodCoverage'];

/** Otherwise a table makes badges too narrow for their text. */
const WHOLE = { minWidth: 'max-content' };

const STATE_COLORS = { open: 'gray', complete: 'green', partial: 'orange', never: 'gray' } as const;
const VERDICT_COLORS = { equal: 'green', differs: 'red', not_told: 'gray' } as const;

interface DifferencesProps extends Pick<CoverageMonth, 'differences'> {
  currencies: AccountCurrencies;
}

const Differences = ({ differences, currencies }: DifferencesProps) => {
  const say = coverageTexts.useTexts();
  return differences.map(({ group, figure, institution, ours, difference }) => {
    const currency = isCount(figure) ? undefined : findGroupCurrency(currencies, group);
    return (
      <Text key={`${JSON.stringify(group)}${figure}`} size="xs">
        {say('difference', {
          group: shortGroupWords(group),
          figure: figureWord(figure),
          institution: amountText(institution, currency),
          ours: amountText(ours, currency),
          difference: amountText(difference, currency),
        })}
      </Text>
    );
  });
};

interface RowProps {
  month: CoverageMonth;
  currencies: AccountCurrencies;
  onShow(period: string): void;
}

const Row = ({ month, currencies, onShow }: RowProps) => {
  const say = coverageTexts.useTexts();
  const { period, rows, state, reason, is_open: isOpen, as_of: asOf, verdict, differences } = month;
  // What is complete of a month that is not over may be more tomorrow.
  const shown = isOpen && state === 'complete' ? 'open' : state;
  const isTold = period !== null && verdict !== 'not_told';
  return (
    <WideRow>
      {period === null ? say('period.none') : monthText(period)}
      {count(rows)}
      <div>
        <Badge variant="light" color={STATE_COLORS[shown]} style={WHOLE}>
          {say(`state.${shown}`)}
        </Badge>
        {reason !== null && (
          <WrappedCell>
            <Text size="xs">{describeReason(reason)}</Text>
          </WrappedCell>
        )}
      </div>
      {asOf === null ? '' : instant(asOf)}
      <div>
        <Group gap="xs" wrap="nowrap">
          <Badge variant="light" color={VERDICT_COLORS[verdict]} style={WHOLE}>
            {say(`verdict.${verdict}`)}
          </Badge>
          {isTold && (
            <Button
              size="compact-xs"
              variant="subtle"
              aria-label={say('figures.of', { period: monthText(period) })}
              onClick={() => onShow(period)}
            >
              {say('figures')}
            </Button>
          )}
        </Group>
        <WrappedCell>
          <Differences differences={differences} currencies={currencies} />
        </WrappedCell>
      </div>
    </WideRow>
  );
};

interface CoverageTableProps {
  of: Omit<ScopeMonth, 'period'>;
  periods: readonly CoverageMonth[];
  onShow(period: string): void;
}

export const CoverageTable = ({ of, periods, onShow }: CoverageTableProps) => {
  const say = coverageTexts.useTexts();
  const namesAccounts = periods.some(({ differences }) => differences.some(({ group }) => 'numero_cuenta' in group));
  const currencies = useAccountCurrencies(of, namesAccounts);
  const head = [say('period'), say('rows'), say('state'), say('as_of'), say('verdict')];
  return (
    <WideTable label={say('table', { scope: of.label })} head={head}>
      {periods.map((month) => (
        <Row key={month.period ?? ''} month={month} currencies={currencies} onShow={onShow} />
      ))}
    </WideTable>
  );
};
