/**
 * The local webhook inbox: receives, verifies and lists deliveries, and fails on request so that retries can be
 * observed.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import * as z from 'zod';
import type { VirtualClock } from './clock.ts';
import { verifyWebhook } from './webhook-signature.ts';

const KEPT_MAX = 1_000;
const SECRETS_MAX = 100;
const FAILURES_MAX = 1_000_000;

export interface InboxItem {
  id: string;
  /** Name of the inbox; `main` for `/_local/inbox` itself. */
  inbox: string;
  received_at: string;
  headers: Record<string, string>;
  /** The body as UTF-8 text. */
  body: string;
  verified: boolean;
  reason: string | null;
  /** Status with which the inbox answered the delivery. */
  answered: number;
}

const Secret = z.object({ secret: z.string().regex(/^whsec_[A-Za-z0-9+/]+={0,2}$/) });
const Behaviour = z.object({
  fail_next: z.int().min(0).max(FAILURES_MAX),
  status: z.int().min(300).max(599).default(500),
});

export interface Inbox {
  receive(inbox: string, headers: IncomingHttpHeaders, body: Buffer): Promise<InboxItem>;
  /**
   * Sets a function that finds further secrets. The function gets a body and returns the secrets of the endpoints to
   * which the body may belong.
   */
  knowSecrets(find: (body: string) => Promise<string[]>): void;
  /** Returns the deliveries, newest first. */
  list(): InboxItem[];
  clear(): void;
  /**
   * Registers a secret. A secret that is already registered changes nothing. Throws a `ZodError` for a secret in
   * another format.
   */
  addSecret(input: unknown): { secrets: number };
  /** Makes the inbox answer the next deliveries with a failure. Throws a `ZodError` for invalid input. */
  behave(input: unknown): { fail_next: number; status: number };
}

export const createInbox = (clock: VirtualClock): Inbox => {
  const items: InboxItem[] = [];
  const secrets = new Set<string>();
  let behaviour = { fail_next: 0, status: 500 };
  let findSecrets = async (_body: string): Promise<string[]> => [];
  return {
    knowSecrets(find) {
      findSecrets = find;
    },
    async receive(inbox, headers, body) {
      const flat = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : (value ?? '')]),
      );
      const nowMs = clock.nowMs();
      const known = [...secrets, ...(await findSecrets(body.toString('utf8')))];
      const verdict = verifyWebhook(known, flat, body, nowMs);
      const fails = behaviour.fail_next > 0;
      if (fails) behaviour = { ...behaviour, fail_next: behaviour.fail_next - 1 };
      const item: InboxItem = {
        id: randomUUID(),
        inbox,
        received_at: new Date(nowMs).toISOString(),
        headers: flat,
        body: body.toString('utf8'),
        verified: verdict.verified,
        reason: verdict.verified ? null : verdict.reason,
        answered: fails ? behaviour.status : 204,
      };
      items.unshift(item);
      items.length = Math.min(items.length, KEPT_MAX);
      return item;
    },
    list: () => [...items],
    clear() {
      items.length = 0;
    },
    addSecret(input) {
      secrets.add(Secret.parse(input).secret);
      // Removes the oldest secrets, because a long test run registers a secret for each of its endpoints.
      for (const oldest of [...secrets].slice(0, Math.max(0, secrets.size - SECRETS_MAX))) secrets.delete(oldest);
      return { secrets: secrets.size };
    },
    behave(input) {
      behaviour = Behaviour.parse(input);
      return behaviour;
    },
  };
};
