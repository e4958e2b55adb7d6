/**
 * Controls that only a local stack has: its clock, its webhook inbox, and the test endpoints of the simulated
 * institution.
 */

import type { Ledger } from '#shared/sources/tax/sandbox/ledger.ts';
import { santiagoDay } from '#shared/values/dates.ts';
import type { InboxItem } from '#tools/local/inbox.ts';
import type { StackFile } from '#tools/local/stack-file.ts';
import { until } from './e2e-integrator.ts';

const HOUR_MS = 3_600_000;
/** Stories that compare with the register of the day move time by less than this. */
const EVENING_HOURS = 4;

const ask = async <T>(method: string, url: string, body?: unknown): Promise<T> => {
  const response = await fetch(url, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
};

export const createDoors = (file: StackFile) => {
  const clock = `${new URL(file.api).origin}/_local/clock`;
  const sandbox = file.sandbox.tax?.base_url ?? '';

  const inbox = async (): Promise<InboxItem[]> => (await ask<{ data: InboxItem[] }>('GET', file.inbox)).data;

  return {
    /** Virtual milliseconds since the epoch. */
    nowMs: async () => Date.parse((await ask<{ now: string }>('GET', clock)).now),
    /** Moves the clock at once: due work in between runs late. */
    advance: (ms: number) => ask('POST', clock, { advance_ms: ms }),
    /** Moves the clock and works at every due time on the way; at its end the stack is idle. */
    walk: (ms: number) => ask('POST', clock, { advance_ms: ms, stepwise: true }),
    /** When the stack is idle, moves to the next due time and waits until it is idle again. */
    jump: () => ask('POST', clock, { jump: true }),

    inbox,
    /** Deliveries of a run to one inbox, oldest first. */
    received: async (runId: string, box = 'main'): Promise<InboxItem[]> =>
      (await inbox()).filter((item) => item.inbox === box && item.body.includes(runId)).reverse(),
    webhookOf: (runId: string): Promise<InboxItem> =>
      until('the webhook', async () => (await inbox()).find(({ body }) => body.includes(runId))),
    failNext: (fail_next: number, status = 500) => ask('POST', `${file.inbox}/behaviour`, { fail_next, status }),

    ledger: async (rut: string): Promise<Ledger['rcv']> =>
      (await ask<Ledger>('GET', `${sandbox}/_sandbox/ledger?login=${rut}`)).rcv,
    logins: (rut: string) =>
      ask<{ logins: number; sessions: number }>('GET', `${sandbox}/_sandbox/logins?login=${rut}`),
    knobs: (change: object) => ask('POST', `${sandbox}/_sandbox/knobs`, change),
    /** Makes requests to the institution wait if their address or body contains the text; all others continue. */
    hold: (text: string) => ask('POST', `${sandbox}/_sandbox/gate`, { hold: text }),
    /** Resolves as soon as such a request waits. */
    held: () =>
      until('a held request', async () => (await ask<{ held: number }>('GET', `${sandbox}/_sandbox/gate`)).held > 0),
    letGo: () => ask('POST', `${sandbox}/_sandbox/gate`, { hold: null }),
  };
};

export type Doors = ReturnType<typeof createDoors>;

/** The institution's register changes at midnight in Santiago, so no story may run across midnight. */
export const leaveEvening = async (doors: Pick<Doors, 'nowMs' | 'advance'>): Promise<void> => {
  const nowMs = await doors.nowMs();
  if (santiagoDay(nowMs) !== santiagoDay(nowMs + EVENING_HOURS * HOUR_MS)) await doors.advance(EVENING_HOURS * HOUR_MS);
};
