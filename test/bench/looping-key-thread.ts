/**
 * A key in a loop, at a function instance of its own: it ignores refusals. Pauses until a
 * message says otherwise, and reports its answers.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { plantClock } from '#shared/platform/clock.ts';
import { handlerOf } from '#test/helpers/handlers.ts';
import { context, eventOf } from '#test/helpers/http.ts';
import type { Loop, LoopReport, LoopRequest } from './fair-use.ts';

const { operation, requests, clients, everyMs } = workerData as Loop;
const handler = await handlerOf(operation);
const event = () => eventOf({ method: 'GET', ...requests });
const report: LoopReport = { admitted: 0, refused: 0 };
let isRunning = false;

const read = async (): Promise<void> => {
  const { statusCode } = await handler(event(), context);
  if (statusCode !== 200 && statusCode !== 429) throw new Error(`the loop gets ${statusCode}`);
  report[statusCode === 200 ? 'admitted' : 'refused']++;
  // The minute does not end while the refusals are measured.
  if (report.refused === 1) {
    const atMs = Date.now();
    plantClock(() => atMs);
  }
};

const loop = async (): Promise<void> => {
  for (;;) {
    const next = sleep(everyMs);
    if (isRunning) await read();
    await next;
  }
};

parentPort?.on('message', (request: LoopRequest) => {
  isRunning = request === 'run';
  parentPort?.postMessage({ ...report });
});
parentPort?.postMessage({ ...report });
await Promise.all(Array.from({ length: clients }, loop));
