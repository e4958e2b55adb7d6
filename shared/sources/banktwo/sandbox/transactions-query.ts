/** Reads a valid query for transactions, and refuses any invalid query (banks.md §3.2). */
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { day } from '#shared/values/fields.ts';
import { daysBetween } from '../../sandbox-kit/calendar.ts';
import type { SandboxClient } from './credentials.ts';
import type { State } from './state.ts';

const WINDOW_DAYS_MAX = 90;
export const NO_MOVEMENT = '000000000';

const Query = z.strictObject({
  accountId: z.string().regex(/^\d{16}$/),
  currency: z.string().regex(/^[A-Z]{3}$/),
  openingDate: day(),
  closingDate: day(),
  startMovement: z.string().regex(/^\d{9}$/),
  endMovement: z.string().regex(/^\d{9}$/),
});

export type TransactionsQuery = z.infer<typeof Query>;

interface QueryRefusal {
  status: number;
  code: string;
  message: string;
}

const invalid = (message: string): QueryRefusal => ({ status: 400, code: 'VALIDATION', message });

export const readTransactionsQuery = (
  request: FastifyRequest,
  state: State,
  client: SandboxClient,
): TransactionsQuery | QueryRefusal => {
  const parsed = Query.safeParse(request.body);
  if (!parsed.success) return invalid(parsed.error.issues[0]?.path.join('.') || 'body');
  const query = parsed.data;
  const { openingDate, closingDate, startMovement, endMovement } = query;
  if (closingDate < openingDate || closingDate > state.book.today()) return invalid('closingDate');
  if (openingDate < state.book.earliest()) return invalid('openingDate');
  if (daysBetween(openingDate, closingDate) + 1 > WINDOW_DAYS_MAX)
    return { status: 422, code: 'WINDOW_TOO_LARGE', message: 'Rango mayor a 90 días' };
  if (startMovement === NO_MOVEMENT && endMovement === NO_MOVEMENT) return query;
  if (client.behaviour === 'cursor_forgotten') return cursorExpired;
  const judged = state.cursors.judge(cursorKey(client, query, startMovement, endMovement));
  if (judged === 'unknown') return invalid('startMovement');
  return judged === 'good' ? query : cursorExpired;
};

const cursorExpired: QueryRefusal = { status: 409, code: 'CURSOR_EXPIRED', message: 'Cursor expirado' };

/** Returns the key of a query. A cursor is valid only for the query for which it was issued. */
export const cursorKey = (
  { credentials }: SandboxClient,
  { accountId, openingDate, closingDate }: TransactionsQuery,
  startMovement: string,
  endMovement: string,
): string[] => [credentials.client_id, accountId, openingDate, closingDate, startMovement, endMovement];
