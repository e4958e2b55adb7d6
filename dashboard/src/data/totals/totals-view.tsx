/** The totals of the filtered rows, above the table. The API adds them up, so they cover every page. */
import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { readJson } from '../../api/client.ts';
import { ApiRefusal } from '../../api/refusal.ts';
import { Problem } from '../../problem/problem.tsx';
import { useIsPhone } from '../../shell/use-is-phone.ts';
import { WideRow, WideTable } from '../../shell/wide-table.tsx';
import { count } from '../../text/format.ts';
import { withAccountCurrency } from '../account-currencies.ts';
import { amountText } from '../columns/column.ts';
import styles from '../data.module.css';
import type { ScopeList } from '../scope-list.ts';
import { dataTexts } from '../texts.ts';
import { fieldWord } from '../words.ts';
import { lineWords } from './line-words.ts';
import { isCount, linesFromGroups, summedFields, type TotalGroup, type TotalLine } from './total-lines.ts';

interface Totals {
  data: { rows: number; groups: TotalGroup[] };
}

const isTooMany = (error: unknown): boolean => error instanceof ApiRefusal && error.status === 400;

const sumText = (line: TotalLine, name: string): string => {
  const sum = line.sums?.[name];
  if (sum === undefined) return '';
  return isCount(name) ? count(Number(sum)) : amountText(sum, line.currency);
};

interface LinesProps {
  list: ScopeList;
  lines: readonly TotalLine[];
  /** True while the totals of another filter are read. */
  isStale: boolean;
}

const Lines = ({ list, lines, isStale }: LinesProps) => {
  const say = dataTexts.useTexts();
  const names = summedFields(list.resource);
  const isPhone = useIsPhone();
  const label = say('totals.label');
  const hasNotes = list.resource.fields.some(({ name }) => name === 'net_amount' && list.resource.scope === 'rcv');
  return (
    <div aria-busy={isStale} className={isStale ? styles.stale : ''}>
      {isPhone && <Text fw={600}>{label}</Text>}
      <WideTable label={label} head={[label, say('totals.rows'), ...names.map((name) => fieldWord(name))]} isOfAmounts>
        {lines.map((line) => (
          <WideRow key={`${lineWords(line, list.resource.scope)} ${line.currency}`}>
            {lineWords(line, list.resource.scope) +
              (line.currency === null ? ` (${fieldWord('currency')}: ${say('currency.none')})` : '')}
            {count(line.rows)}
            {names.map((name) => sumText(line, name))}
          </WideRow>
        ))}
      </WideTable>
      {hasNotes && (
        <Text size="sm" c="dimmed">
          {say('totals.notes')}
        </Text>
      )}
    </div>
  );
};

export const TotalsView = ({ list, filtered }: { list: ScopeList; filtered: URLSearchParams }) => {
  const say = dataTexts.useTexts();
  const query = useQuery({
    queryKey: ['rows', list.path, 'totals', String(filtered)],
    queryFn: ({ signal }) => readJson<Totals>(`${list.path}/totals`, filtered, signal),
    placeholderData: keepPreviousData,
    retry: (failures, error) => !(error instanceof ApiRefusal) && failures < 2,
  });
  if (query.error !== null)
    return isTooMany(query.error) ? <Text>{say('totals.too-many')}</Text> : <Problem error={query.error} />;
  if (query.data === undefined) return null;
  const { currencies, resource } = list;
  const groups = query.data.data.groups.map((group) =>
    currencies ? { ...group, group: withAccountCurrency(group.group, currencies) } : group,
  );
  const lines = linesFromGroups(resource, groups);
  return lines.length === 0 ? null : <Lines {...{ list, lines }} isStale={query.isPlaceholderData} />;
};
