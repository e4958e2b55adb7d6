/**
 * Control endpoints of a sandbox, which the real institution does not have: ledger, login counts, and knobs (settings
 * of the sandbox).
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import * as z from 'zod';
import { PERIOD_PATTERN } from '#shared/values/fields.ts';
import { normalizeRut } from '#shared/values/rut.ts';

export const rut = z
  .string()
  .transform((value) => normalizeRut(value) ?? '')
  .refine((value) => value !== '', 'must be a RUT');
export const period = z.string().regex(PERIOD_PATTERN);
/** An action that runs at once, such as resetting counters or ending sessions. */
export const atOnce = z.literal(true).optional();
export const latencyMs = z.int().min(0).max(600_000).optional();

export const RutQuery = z.strictObject({ login: rut, period: period.optional() });

/** Data of an institution about a login. */
export interface LoginRecords<Ledger> {
  /** Returns the institution's data of all months, or of one month. */
  ledger(login: string, period?: string): Ledger;
  /** Returns the number of posts with a password so far. On a wire without a login, returns the number of calls. */
  logins(login: string): number;
  openSessions(login: string): number;
}

export interface Doors<Change extends object> {
  query: z.ZodType<{ login: string; period?: string | undefined }>;
  change: z.ZodType<Change>;
  knobs: object;
  /** Runs the immediate actions of a change. The knobs of the change are set separately. */
  apply(change: Change): void;
  /** True if the institution knows the login. Absent when every login has a ledger. */
  isKnown?(login: string): boolean;
}

/**
 * Resets the counters of one login, or all counters. A key may contain more parts after the login, separated by bars.
 */
export const forgetCounts = (counts: readonly Map<string, unknown>[], login: string | undefined): void => {
  for (const each of counts)
    for (const key of each.keys()) if (login === undefined || key.split('|').includes(login)) each.delete(key);
};

export const registerDoors = <Change extends object>(
  app: FastifyInstance,
  records: LoginRecords<unknown>,
  { query, change, knobs, apply, isKnown = () => true }: Doors<Change>,
): void => {
  const read = <Value>(
    schema: z.ZodType<Value>,
    input: unknown,
    reply: FastifyReply,
    answer: (value: Value) => unknown,
  ) => {
    const parsed = schema.safeParse(input);
    return parsed.success ? answer(parsed.data) : reply.code(400).send({ error: z.prettifyError(parsed.error) });
  };
  app.get('/_sandbox/ledger', (request, reply) =>
    read(query, request.query, reply, ({ login, period: month }) =>
      isKnown(login) ? reply.send(records.ledger(login, month)) : reply.code(404).send({ error: 'no such client' }),
    ),
  );
  app.get('/_sandbox/logins', (request, reply) =>
    read(query, request.query, reply, ({ login }) =>
      reply.send({ logins: records.logins(login), sessions: records.openSessions(login) }),
    ),
  );
  app.post('/_sandbox/knobs', (request, reply) =>
    read(change, request.body, reply, (wanted) => {
      const { login } = wanted as { login?: string };
      if (login !== undefined && !isKnown(login)) return reply.code(400).send({ error: 'no such client' });
      apply(wanted);
      const turned = Object.entries(wanted).filter(([name, value]) => name in knobs && value !== undefined);
      return reply.send({ knobs: Object.assign(knobs, Object.fromEntries(turned)) });
    }),
  );
};
