/** Button that opens the export of the filtered rows. */
import { Button, Group, Modal, Progress, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { nowMs } from '../../clock.ts';
import { Problem } from '../../problem/problem.tsx';
import { common } from '../../text/common-texts.ts';
import { count } from '../../text/format.ts';
import type { Position } from '../read-rows.ts';
import type { ScopeList } from '../scope-list.ts';
import { type ExportFormat, fileType, listFormats, SHEET_ROWS_MAX } from './export-format.ts';
import { exportTexts } from './texts.ts';
import { useExport } from './use-export.ts';

interface ExportProps {
  list: ScopeList;
  filtered: URLSearchParams;
  total: number;
}

/**
 * Returns a name such as `tax-rcv-2026-10-issued-20261121.xlsx`. The name contains the filters, so that exports with
 * different filters on one day have different names.
 */
const fileName = ({ resource }: ScopeList, filtered: URLSearchParams, format: ExportFormat): string => {
  const day = new Date(nowMs()).toISOString().slice(0, 10).replaceAll('-', '');
  const name = [resource.source, resource.scope, ...filtered.values(), day].join('-').replaceAll(/[^\w-]+/g, '_');
  return `${name}.${fileType(format).extension}`;
};

const Bar = ({ position, total }: { position: Position; total: number }) => {
  const say = exportTexts.useTexts();
  const rows = position.total ?? total;
  return (
    <>
      <Text size="sm" role="status">
        {say('progress', { done: count(position.offset), total: count(rows) })}
      </Text>
      <Progress value={rows === 0 ? 100 : (100 * position.offset) / rows} aria-label={say('progress.label')} />
    </>
  );
};

const Dialog = ({ list, filtered, total }: ExportProps) => {
  const say = exportTexts.useTexts();
  const formats = listFormats(total);
  const [format, setFormat] = useState<ExportFormat>(formats.includes('xlsx') ? 'xlsx' : 'excel');
  const { state, start, cancel, resume, reset } = useExport(list, filtered);
  const cancelButton = (
    <Button variant="default" onClick={() => void cancel()}>
      {say('cancel')}
    </Button>
  );
  const again = <Button onClick={reset}>{say('again')}</Button>;
  if (state.step === 'idle')
    return (
      <Stack>
        <Text size="sm">{say('what', { count: total, number: count(total) })}</Text>
        <Radio.Group label={say('format.label')} value={format} onChange={(next) => setFormat(next as ExportFormat)}>
          <Stack gap="xs" mt="xs">
            {formats.map((each) => (
              <Radio key={each} value={each} label={say(`format.${each}`)} />
            ))}
          </Stack>
        </Radio.Group>
        {!formats.includes('xlsx') && <Text size="sm">{say('too-many', { number: count(SHEET_ROWS_MAX) })}</Text>}
        <Button onClick={() => void start(format, fileName(list, filtered, format))}>{say('start')}</Button>
      </Stack>
    );
  if (state.step === 'running')
    return (
      <Stack>
        <Bar position={state.position} total={total} />
        {cancelButton}
      </Stack>
    );
  if (state.step === 'stopped')
    return (
      <Stack>
        <Bar position={state.position} total={total} />
        <Problem error={state.error} />
        <Group>
          <Button onClick={() => void resume()}>{say('resume')}</Button>
          {cancelButton}
        </Group>
      </Stack>
    );
  if (state.step === 'done')
    return (
      <Stack>
        <Text role="status">{say('done', { number: count(state.rows), name: state.name })}</Text>
        {again}
      </Stack>
    );
  return (
    <Stack>
      <Text role="alert">{say(state.step)}</Text>
      {again}
    </Stack>
  );
};

export const ExportButton = (props: ExportProps) => {
  const say = exportTexts.useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {say('open')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={say('title')}
        closeButtonProps={{ 'aria-label': common.say('action.close') }}
        closeOnClickOutside={false}
      >
        <Dialog {...props} />
      </Modal>
    </>
  );
};
