/** Worker that compresses a spreadsheet, so that the page stays responsive. */
import { streamXlsx, type XlsxCell, type XlsxSheet } from './xlsx-stream.ts';

export type ToWorker = { step: 'start'; sheet: XlsxSheet } | { step: 'rows'; rows: XlsxCell[][] } | { step: 'end' };

export type FromWorker =
  | { step: 'bytes'; bytes: Uint8Array }
  | { step: 'taken' }
  | { step: 'done' }
  | { step: 'failed' };

const answer = (message: FromWorker): void => self.postMessage(message);

/** Rows that arrived before the writer asked for them; null is the end. */
const waiting: (XlsxCell[][] | null)[] = [];
let wake: () => void = () => undefined;

const nextRows = async (): Promise<XlsxCell[][] | null> => {
  while (waiting.length === 0)
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  return waiting.shift() ?? null;
};

async function* arrivingRows(): AsyncGenerator<XlsxCell[]> {
  for (;;) {
    const rows = await nextRows();
    if (rows === null) return;
    yield* rows;
    answer({ step: 'taken' });
  }
}

const run = async (sheet: XlsxSheet): Promise<void> => {
  try {
    const reader = streamXlsx(sheet, arrivingRows()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      answer({ step: 'bytes', bytes: value });
    }
    answer({ step: 'done' });
  } catch {
    answer({ step: 'failed' });
  }
};

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.step === 'start') return void run(data.sheet);
  waiting.push(data.step === 'rows' ? data.rows : null);
  wake();
});
