/** The state of one export from the click to the file: running, stopped by an error and resumable, done, or aborted. */
import { useEffect, useRef, useState } from 'react';
import { ApiRefusal, LostConnection } from '../../api/refusal.ts';
import { beginning, ListChanged, type Position } from '../read-rows.ts';
import { readList, type ScopeList } from '../scope-list.ts';
import { fieldWord } from '../words.ts';
import type { CsvFormat } from './csv-format.ts';
import { openSink, type Sink } from './file-sink.ts';
import { runExport } from './run-export.ts';

export type ExportState =
  | { step: 'idle' }
  | { step: 'running'; position: Position }
  /** The export can resume from its position without loss. */
  | { step: 'stopped'; position: Position; error: unknown }
  | { step: 'done'; rows: number; name: string }
  | { step: 'cancelled' }
  | { step: 'changed' }
  | { step: 'failed' };

interface ExportJob {
  sink: Sink;
  format: CsvFormat;
  name: string;
  position: Position;
  stop: AbortController;
}

/** True for an error after which the export can resume from its position. */
const isWorthWaiting = (error: unknown): boolean => error instanceof LostConnection || error instanceof ApiRefusal;

export const useExport = (list: ScopeList, filtered: URLSearchParams) => {
  const [state, setState] = useState<ExportState>({ step: 'idle' });
  const current = useRef<ExportJob | null>(null);

  const end = (next: ExportState): void => {
    current.current = null;
    setState(next);
  };

  const giveUp = async ({ sink }: ExportJob, next: ExportState): Promise<void> => {
    end(next);
    // An error of this cleanup is ignored, because the page reports the error that caused the cleanup.
    await sink.abort().catch(() => undefined);
  };

  const run = async (job: ExportJob): Promise<void> => {
    setState({ step: 'running', position: { ...job.position } });
    const readPage = ({ limit, offset }: { limit: number; offset: number }) =>
      readList(
        list,
        new URLSearchParams([...filtered, ['limit', String(limit)], ['offset', String(offset)]]),
        job.stop.signal,
      );
    try {
      await runExport(
        { fields: list.resource.fields, format: job.format, label: fieldWord, readPage, sink: job.sink },
        job.position,
        (position) => setState({ step: 'running', position }),
      );
      end({ step: 'done', rows: job.position.offset, name: job.name });
    } catch (error) {
      if (job.stop.signal.aborted) return giveUp(job, { step: 'cancelled' });
      if (error instanceof ListChanged) return giveUp(job, { step: 'changed' });
      if (!isWorthWaiting(error)) return giveUp(job, { step: 'failed' });
      setState({ step: 'stopped', position: { ...job.position }, error });
    }
  };

  const start = async (format: CsvFormat, name: string): Promise<void> => {
    const sink = await openSink(name);
    if (!sink) return;
    const job: ExportJob = { sink, format, name, position: beginning(), stop: new AbortController() };
    current.current = job;
    await run(job);
  };

  const cancel = async (): Promise<void> => {
    const job = current.current;
    if (!job) return;
    job.stop.abort();
    // A stopped export has no running request that could notice the cancellation, so the file is removed here.
    if (state.step === 'stopped') await giveUp(job, { step: 'cancelled' });
  };

  // When the person leaves the page, an unfinished export ends and its file is removed.
  useEffect(
    () => () => {
      current.current?.stop.abort();
      void current.current?.sink.abort().catch(() => undefined);
    },
    [],
  );

  return {
    state,
    start,
    cancel,
    resume: async () => {
      if (current.current) await run(current.current);
    },
    reset: () => setState({ step: 'idle' }),
  };
};
