/**
 * Queues as AWS promises them: at least once, in any order, sometimes late; and, beyond that promise, sometimes a
 * message is lost. Messages that arrive together are one event of the worker. A message that a worker does not finish
 * returns after the visibility time; after the maximum number of receives it is dead.
 */
import type { Machine } from './machine.ts';
import { virtual } from './virtual-process.ts';

export interface QueuedMessage {
  id: string;
  body: string;
}

/** Handles one event. Returns the ids of the messages that go back to the queue. */
export type Handler = (
  messages: readonly QueuedMessage[],
) => Promise<{ died: true } | { died: false; failed: ReadonlySet<string> }>;

interface Received extends QueuedMessage {
  times: number;
}

/** Most messages of an event, as in the contracts of the workers. */
const BATCH_MAX = 10;
const batchMax = (queue: string): number => (queue === 'purges' ? 1 : BATCH_MAX);

const RECEIVES_MAX = 4;
const VISIBILITY_MS: readonly number[] = [30_000, 120_000, 400_000, 1_800_000];
const LATE_MS: readonly number[] = [1_000, 20_000, 90_000, 300_000];
const DELIVERY_MS_MAX = 40;
const WINDOWS_MS: readonly number[] = [0, 0, 100, 5_000];

export class Queues {
  private readonly machine: Machine;
  private readonly handle: (queue: string) => Handler;
  private ids = 0;
  dead = 0;
  /** Messages that wait for the next event of their queue. */
  private readonly arrived = new Map<string, Received[]>();
  /** Every body that was sent. */
  readonly sent: string[] = [];
  /** Times for which an event may collect messages; each event draws one. */
  windowsMs: readonly number[] = WINDOWS_MS;
  /** Messages that wait, by queue. */
  readonly waiting = new Map<string, number>();
  /** The next message of this queue is lost. */
  losesNext: string | null = null;
  /** Messages of others in every queue. */
  extra = 0;

  constructor(machine: Machine, handle: (queue: string) => Handler) {
    this.machine = machine;
    this.handle = handle;
  }

  send(queue: string, body: string, delaySeconds: number): object {
    const { random, faults } = this.machine;
    this.sent.push(body);
    if (this.losesNext === queue) {
      this.losesNext = null;
      return {};
    }
    if (random.chance(faults.lost)) {
      this.machine.mishaps++;
      this.machine.tell(`a message of ${queue} is lost`);
      return {};
    }
    for (let copies = random.chance(faults.doubled) ? 2 : 1; copies > 0; copies--) {
      const isLate = random.chance(faults.late);
      if (isLate) this.machine.mishaps++;
      const lateMs = isLate ? random.pick(LATE_MS) : random.int(0, DELIVERY_MS_MAX);
      this.receive(queue, body, virtual.nowMs + delaySeconds * 1_000 + lateMs, 1);
    }
    return {};
  }

  /** The length that the queue reports. */
  length(queue: string): number {
    return (this.waiting.get(queue) ?? 0) + this.extra;
  }

  private count(queue: string, by: number): void {
    this.waiting.set(queue, (this.waiting.get(queue) ?? 0) + by);
  }

  private receive(queue: string, body: string, dueMs: number, times: number): void {
    this.count(queue, 1);
    this.machine.at(dueMs, () => {
      this.count(queue, -1);
      const waiting = this.arrived.get(queue) ?? [];
      this.arrived.set(queue, waiting);
      waiting.push({ id: `message-${++this.ids}`, body, times });
      const batchMs = batchMax(queue) === 1 ? 0 : this.machine.random.pick(this.windowsMs);
      this.machine.at(virtual.nowMs + batchMs, () => this.deliver(queue, waiting));
    });
  }

  /** Hands the waiting messages to the worker. Another event may have taken them. */
  private deliver(queue: string, waiting: Received[]): void {
    const messages = waiting.splice(0, batchMax(queue));
    if (messages.length === 0) return;
    void this.handle(queue)(messages).then((end) => {
      for (const { id, body, times } of messages) {
        if (!end.died && !end.failed.has(id)) continue;
        if (times >= RECEIVES_MAX) this.dead++;
        else this.receive(queue, body, virtual.nowMs + this.machine.random.pick(VISIBILITY_MS), times + 1);
      }
    });
  }
}
