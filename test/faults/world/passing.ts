/** Lets time pass in a history, until an instant or until all started work has ended. */
import { settle, virtual } from '../machine/virtual-process.ts';
import type { Item } from '../table/values.ts';
import { isOfNewerVersion } from './sweep-checks.ts';
import type { World } from './world.ts';

const MINUTE_MS = 60_000;
/** No history takes longer: four webhook attempts over two and a half hours, after a run of at most an hour. */
const HISTORY_MS_MAX = 12 * 60 * MINUTE_MS;

class Stuck extends Error {}

/** Items that are due once a day forever: the comparison with Scheduler, and the check of a connection's schedule. */
const isDailyCheck = ({ pk, due_sk }: Item): boolean =>
  pk.includes('#SCHEDULES') ||
  (pk.endsWith('#CONFIG') && String(due_sk) > new Date(virtual.nowMs + 60 * MINUTE_MS).toISOString());

const isForever = (item: Item): boolean => isDailyCheck(item) || isOfNewerVersion(item);
const isQuiet = ({ machine, table }: World): boolean =>
  machine.isIdle &&
  // The sweeper's next minute is always an appointment.
  machine.appointments.size <= 1 &&
  table.dueItems().every(isForever);

const whatIsLeft = ({ machine, table }: World): string =>
  [
    'not everything came to its end:',
    `${machine.invocations.size} workers, ${machine.appointments.size} appointments`,
    ...table
      .dueItems()
      .filter((item) => !isForever(item))
      .map(({ pk, sk, due_sk }) => `due ${due_sk}: ${pk} ${sk}`),
  ].join('\n');

/** Runs until all started work has ended. */
export const untilQuiet = async (world: World): Promise<void> => {
  const untilMs = virtual.nowMs + HISTORY_MS_MAX;
  for (;;) {
    // A worker that has just died returns its message in a promise.
    await settle();
    if (isQuiet(world)) return;
    if (!(await world.machine.step(untilMs))) throw new Stuck(whatIsLeft(world));
  }
};

/** Lets this much time pass, with all events in it. */
export const pass = async (world: World, ms: number): Promise<void> => {
  const untilMs = virtual.nowMs + ms;
  while (virtual.nowMs < untilMs && (await world.machine.step(untilMs)));
  virtual.nowMs = Math.max(virtual.nowMs, untilMs);
};

export const drive = async (world: World, task: Promise<unknown>): Promise<void> => {
  let isOver = false;
  void task.finally(() => {
    isOver = true;
  });
  while (!isOver) if (!(await world.machine.step(virtual.nowMs + HISTORY_MS_MAX))) throw new Stuck('an act has no end');
};
