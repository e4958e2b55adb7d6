/** The state of one export from the click to the file: running, stopped by an error and resumable, done, or aborted. */
import { useEffect, useRef, useState } from 'react';
import { ApiRefusal, LostConnection } from '../../api/refusal.ts';
import { beginning, ListChanged, type Position } from '../read-rows.ts';
import { readList, type ScopeList } from '../scope-list.ts';
import { type ExportFormat, fileType } from './export-format.ts';
import { openSink } from './file-sink.ts';
import { openWriter } from './open-writer.ts';
import type { RowWriter } from './row-writer.ts';
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
  writer: RowWriter;
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

  const giveUp = async ({ writer }: ExportJob, next: ExportState): Promise<void> => {
    end(next);
    // An error of this cleanup is ignored, because the page reports the error that caused the cleanup.
    await writer.abort().catch(() => undefined);
  };

  const run = async (job: ExportJob): Promise<void> => {
    const isCurrent = (): boolean => current.current === job;
    setState({ step: 'running', position: { ...job.position } });
    const readPage = ({ limit, offset }: { limit: number; offset: number }) =>
      readList(
        list,
        new URLSearchParams([...filtered, ['limit', String(limit)], ['offset', String(offset)]]),
        job.stop.signal,
      );
    try {
      await runExport({ readPage, writer: job.writer }, job.position, (position) => {
        if (isCurrent()) setState({ step: 'running', position });
      });
      if (isCurrent()) end({ step: 'done', rows: job.position.offset, name: job.name });
    } catch (error) {
      if (!isCurrent()) return;
      if (error instanceof ListChanged) return giveUp(job, { step: 'changed' });
      if (!isWorthWaiting(error)) return giveUp(job, { step: 'failed' });
      setState({ step: 'stopped', position: { ...job.position }, error });
    }
  };

  const start = async (format: ExportFormat, name: string): Promise<void> => {
    const sink = await openSink(name, fileType(format).mediaType);
    if (!sink) return;
    const writer = await openWriter(format, list, sink).catch(() => null);
    if (writer === null) {
      await sink.abort().catch(() => undefined);
      return setState({ step: 'failed' });
    }
    const job: ExportJob = { writer, name, position: beginning(), stop: new AbortController() };
    current.current = job;
    await run(job);
  };

  const cancel = async (): Promise<void> => {
    const job = current.current;
    if (!job) return;
    job.stop.abort();
    await giveUp(job, { step: 'cancelled' });
  };

  // When the person leaves the page, an unfinished export ends and its file is removed.
  useEffect(
    () => () => {
      current.current?.stop.abort();
      void current.current?.writer.abort().catch(() => undefined);
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
