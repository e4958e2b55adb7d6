/**
 * Dialog with the totals of a month for each group of rows: the institution's totals, compared with the totals of the
 * stored rows.
 */
import { Badge, Drawer, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Big from 'big.js';
import { api, must, type Schemas } from '../api/client.ts';
import { Read } from '../problem/read.tsx';
import { WideTable } from '../shell/wide-table.tsx';
import { common } from '../text/common-texts.ts';
import { count, money } from '../text/format.ts';
import { coverageTexts, figureWord, groupWords } from './coverage-texts.ts';

export interface ShownMonth {
  scope: string;
  /** Label of the scope. */
  label: string;
  period: string;
}

type ApiTotalGroup = Schemas['TotalGroup'];
type CoverageFigure = ApiTotalGroup['figures'][number];

const moneyOrNone = (amount: string | null): string => (amount === null ? '' : money(amount));

const differenceOf = ({ institution, ours }: CoverageFigure): string => {
  if (institution === null || ours === null || Big(ours).eq(institution)) return '';
  return money(Big(ours).minus(institution).toFixed());
};

const GroupTotals = ({ of }: { of: ApiTotalGroup }) => {
  const say = coverageTexts.useTexts();
  const name = groupWords(of.group);
  const head = [say('detail.figure'), say('detail.institution'), say('detail.ours'), say('detail.difference')];
  return (
    <Stack gap="xs" component="section">
      <Group gap="xs">
        <Title order={3} size="h5">
          {name}
        </Title>
        <Badge variant="light" color={of.verdict === 'differs' ? 'red' : 'gray'}>
          {say(`verdict.${of.verdict}`)}
        </Badge>
      </Group>
      <WideTable label={say('detail.table', { group: name })} head={head}>
        {of.figures.map((figure) => (
          <Table.Tr key={figure.figure}>
            <Table.Td>{figureWord(figure.figure)}</Table.Td>
            <Table.Td>{moneyOrNone(figure.institution)}</Table.Td>
            <Table.Td>{moneyOrNone(figure.ours)}</Table.Td>
            <Table.Td>{differenceOf(figure)}</Table.Td>
          </Table.Tr>
        ))}
      </WideTable>
      {of.rows_not_shown !== null && (
        <Text size="sm">{say('gone', { count: of.rows_not_shown.rows, number: count(of.rows_not_shown.rows) })}</Text>
      )}
    </Stack>
  );
};

const Totals = ({ connectionId: id, month: { scope, period } }: { connectionId: string; month: ShownMonth }) => {
  const say = coverageTexts.useTexts();
  const query = useQuery({
    queryKey: ['connections', id, 'coverage', scope, period],
    queryFn: ({ signal }) =>
      must(api.GET('/connections/{id}/coverage/{scope}/{period}', { params: { path: { id, scope, period } }, signal })),
  });
  return (
    <Read query={query}>
      {({ data: { totals, totals_left_out: more, verdict } }) => (
        <Stack>
          {totals.length === 0 && <Text>{say(verdict === 'equal' ? 'detail.nothing' : 'detail.empty')}</Text>}
          {totals.map((of) => (
            <GroupTotals key={JSON.stringify(of.group)} of={of} />
          ))}
          {more > 0 && <Text size="sm">{say('detail.more', { number: count(more) })}</Text>}
        </Stack>
      )}
    </Read>
  );
};

interface CoverageDetailProps {
  connectionId: string;
  /** The month in the dialog; null when the dialog is closed. */
  month: ShownMonth | null;
  onClose(): void;
}

export const CoverageDetail = ({ connectionId, month, onClose }: CoverageDetailProps) => {
  const say = coverageTexts.useTexts();
  return (
    <Drawer
      opened={month !== null}
      onClose={onClose}
      position="right"
      size="lg"
      title={month === null ? '' : say('detail.title', { period: month.period, scope: month.label })}
      closeButtonProps={{ 'aria-label': common.say('action.close') }}
    >
      {month !== null && <Totals connectionId={connectionId} month={month} />}
    </Drawer>
  );
};
