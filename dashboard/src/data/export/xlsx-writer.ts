/** Writes pages of rows to a spreadsheet with the help of a worker. */
import { exportColumns } from '../columns/build-columns.ts';
import type { Resource } from '../resource.ts';
import { rowAdder } from '../totals/total-lines.ts';
import type { RowWriter } from './row-writer.ts';
import type { Sink } from './sink.ts';
import { sumRows, xlsxCell, xlsxSheet } from './xlsx-format.ts';
import type { FromWorker, ToWorker } from './xlsx-worker.ts';

/** A worker that failed or was ended cannot complete the file. */
class WorkerEnded extends Error {
  constructor() {
    super('the worker of the spreadsheet ended');
    this.name = 'WorkerEnded';
  }
}

/** Sends messages to the worker, and waits for the answer that ends a step. */
const openPort = (sink: Sink) => {
  const worker = new Worker(new URL('./xlsx-worker.ts', import.meta.url), { type: 'module' });
  const ended = Promise.withResolvers<never>();
  // The error is reported by the step that waits, or by no step if the export was cancelled.
  ended.promise.catch(() => undefined);
  let finishStep: () => void = () => undefined;
  let written: Promise<void> = Promise.resolve();
  worker.addEventListener('error', () => ended.reject(new WorkerEnded()));
  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    if (data.step === 'bytes') {
      written = written.then(() => sink.write(data.bytes));
      written.catch(ended.reject);
    } else if (data.step === 'failed') ended.reject(new WorkerEnded());
    else finishStep();
  });
  return {
    send: (message: ToWorker): void => worker.postMessage(message),
    /** Sends a message and waits until the worker has processed it and its bytes are in the file. */
    async process(message: ToWorker): Promise<void> {
      const step = new Promise<void>((resolve) => {
        finishStep = resolve;
      });
      worker.postMessage(message);
      await Promise.race([step, ended.promise]);
      await Promise.race([written, ended.promise]);
    },
    end(): void {
      worker.terminate();
      ended.reject(new WorkerEnded());
    },
  };
};

export const openXlsxWriter = (resource: Resource, sink: Sink): RowWriter => {
  const columns = exportColumns(resource);
  const port = openPort(sink);
  const sums = resource.totals === null ? null : rowAdder(resource);
  port.send({ step: 'start', sheet: xlsxSheet(resource, columns) });
  return {
    async write(rows) {
      sums?.add(rows);
      await port.process({ step: 'rows', rows: rows.map((row) => columns.map((column) => xlsxCell(column, row))) });
    },
    async close() {
      await port.process({ step: 'rows', rows: sumRows(resource, columns, sums?.result() ?? []) });
      await port.process({ step: 'end' });
      port.end();
      await sink.close();
    },
    async abort() {
      port.end();
      await sink.abort();
    },
  };
};
