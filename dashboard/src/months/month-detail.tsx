/** Dialog of a cell: the state of every scope in the month, the reason, and the figures. */
import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { describeReason } from '../connections/causes.ts';
import { PeriodFigures } from '../connections/period-figures.tsx';
import { connectionTexts } from '../connections/texts.ts';
import { scopeWord } from '../data/words.ts';
import { SidePanel } from '../shell/side-panel.tsx';
import { count, instant } from '../text/format.ts';
import { month } from '../text/month.ts';
import type { MonthCell, MonthPart } from './cells.ts';
import { rowName } from './matrix.tsx';
import type { MatrixRow } from './matrix-rows.ts';
import styles from './months.module.css';
import { StateBadge } from './state-sign.tsx';
import { monthTexts } from './texts.ts';

const Facts = ({ covered }: { covered: NonNullable<MonthPart['covered']> }) => {
  const say = monthTexts.useTexts();
  const { rows, as_of: asOf } = covered;
  const stored = say('detail.rows', { count: rows, number: count(rows) });
  return <Text size="sm">{asOf === null ? stored : `${stored}, ${say('detail.read', { at: instant(asOf) })}`}</Text>;
};

const Part = ({ part, isOpenAtFirst }: { part: MonthPart; isOpenAtFirst: boolean }) => {
  const say = monthTexts.useTexts();
  const [isShown, show] = useState(isOpenAtFirst);
  const { connectionId, connection, source, scope, period, state, covered } = part;
  const label = scopeWord(source, scope, scope);
  const action = say(isShown ? 'detail.hide' : 'detail.show');
  return (
    <Stack gap="xs" component="li">
      <Group gap="sm">
        <Title order={3} size="h5">
          {label}
        </Title>
        <StateBadge state={state} />
        <Text size="sm" c="dimmed">
          {connection}
        </Text>
        <Anchor component={Link} to={`/connections/${connectionId}`} size="sm">
          {say('detail.connection')}
        </Anchor>
      </Group>
      <Text size="sm">{say(`meaning.${state}`)}</Text>
      {covered !== null && <Facts covered={covered} />}
      {covered !== null && covered.reason !== null && <Text size="sm">{describeReason(covered.reason)}</Text>}
      {state === 'refused' && (
        <Anchor component={Link} to={`/connections/${connectionId}/credentials`} size="sm">
          {connectionTexts.say('credentials.action')}
        </Anchor>
      )}
      {state === 'differs' && <Text size="sm">{say('detail.retry')}</Text>}
      {covered !== null && covered.verdict !== 'not_told' && (
        <>
          <div>
            <Button
              size="compact-sm"
              variant="default"
              aria-expanded={isShown}
              aria-label={say('detail.of', { action, scope: label, connection })}
              onClick={() => show(!isShown)}
            >
              {action}
            </Button>
          </div>
          {isShown && <PeriodFigures of={{ connectionId, connection, source, scope, label, period }} />}
        </>
      )}
    </Stack>
  );
};

/** A cell of the matrix, with its row. */
export interface ShownCell {
  row: MatrixRow;
  cell: MonthCell;
}

/** @param shown the cell in the dialog; null when the dialog is closed */
export const MonthDetail = ({ shown, onClose }: { shown: ShownCell | null; onClose(): void }) => {
  const say = monthTexts.useTexts();
  return (
    <SidePanel
      isOpen={shown !== null}
      onClose={onClose}
      title={shown === null ? '' : say('detail.title', { month: month(shown.cell.period), name: rowName(shown.row) })}
    >
      <ul className={styles.list}>
        {shown?.cell.parts.map((part, at) => (
          <Part key={`${part.connectionId} ${part.scope}`} part={part} isOpenAtFirst={at === 0} />
        ))}
      </ul>
    </SidePanel>
  );
};
