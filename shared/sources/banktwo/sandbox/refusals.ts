/** Errors of the API on the wire (banks.md §3.2, errors and limits). */
import type { FastifyReply } from 'fastify';
import { v4 } from 'uuid';
import type { MinuteCount } from './state.ts';

export const refuse = (reply: FastifyReply, status: number, code: string, message: string): FastifyReply =>
  reply.code(status).send({ code, message, traceId: v4() });

export const retryAfter = (reply: FastifyReply, seconds: number): FastifyReply =>
  reply.header('retry-after', String(seconds));

export const tellMinute = (reply: FastifyReply, { limit, remaining, reset }: MinuteCount): void => {
  if (limit === 0) return;
  reply.header('x-ratelimit-limit', String(limit));
  reply.header('x-ratelimit-remaining', String(remaining));
  reply.header('x-ratelimit-reset', String(reset));
};

export const throttled = (reply: FastifyReply, minute: MinuteCount): FastifyReply => {
  tellMinute(reply, { ...minute, remaining: 0 });
  return refuse(retryAfter(reply, minute.reset), 429, 'RATE_LIMIT', 'Demasiadas solicitudes');
};
