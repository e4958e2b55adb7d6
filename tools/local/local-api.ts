/**
 * Serves `/_local/*`: the clock, the webhook inbox and the development sign-in. Only the local stack has these paths.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { ADVANCE_MS_MAX, tellAhead, type VirtualClock } from './clock.ts';
import { type Jumps, NotIdle } from './clock-jumps.ts';
import { type LocalHandler, readBody } from './http-api.ts';
import type { Inbox } from './inbox.ts';
import type { WebSession } from './web-session.ts';

const BODY_BYTES_MAX = 1024 * 1024;

const Move = z.union([
  z.strictObject({
    advance_ms: z.int().min(0).max(ADVANCE_MS_MAX),
    /** True if the clock stops at every due time on the way until the due work is done. */
    stepwise: z.boolean().default(false),
  }),
  z.strictObject({ jump: z.literal(true) }),
]);

type LocalAnswer = { status: number; body?: unknown; cookie?: string };

interface Dependencies {
  clock: VirtualClock;
  jumps: Jumps;
  inbox: Inbox;
  /** The development sign-in; absent when the API runs on another machine, where people sign in at the issuer. */
  session?: WebSession;
}

/**
 * True if the request must be refused. Otherwise a page of another origin could move the clock, or a page whose host
 * name resolves to 127.0.0.1.
 */
const isForeign = ({ headers }: IncomingMessage): boolean => {
  const host = headers.host ?? '';
  const isLoopback = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(host);
  return !isLoopback || (headers.origin !== undefined && headers.origin !== `http://${host}`);
};

const json = async (request: IncomingMessage): Promise<unknown> =>
  JSON.parse((await readBody(request, BODY_BYTES_MAX)).toString('utf8') || '{}');

const clockAnswer = async (request: IncomingMessage, { clock, jumps }: Dependencies): Promise<LocalAnswer> => {
  const view = (moved_ms?: number): LocalAnswer => ({
    status: 200,
    body: {
      now: new Date(clock.nowMs()).toISOString(),
      offset_ms: clock.offsetMs(),
      ...(moved_ms === undefined ? {} : { moved_ms }),
      note: tellAhead(clock.offsetMs()),
    },
  });
  if (request.method === 'GET') return view();
  if (request.method !== 'POST') return { status: 405 };
  const move = Move.parse(await json(request));
  if ('jump' in move) return view(await jumps.jump());
  if (move.stepwise) return view(await jumps.walk(move.advance_ms));
  clock.advance(move.advance_ms);
  return view(move.advance_ms);
};

const inboxAnswer = async (request: IncomingMessage, rest: string, { inbox }: Dependencies): Promise<LocalAnswer> => {
  const call = `${request.method} ${rest}`;
  if (call === 'GET ') return { status: 200, body: { data: inbox.list() } };
  if (call === 'DELETE ') {
    inbox.clear();
    return { status: 204 };
  }
  if (call === 'PUT secret') return { status: 200, body: inbox.addSecret(await json(request)) };
  if (call === 'POST behaviour') return { status: 200, body: inbox.behave(await json(request)) };
  if (request.method !== 'POST') return { status: 405 };
  const body = await readBody(request, BODY_BYTES_MAX);
  return { status: (await inbox.receive(rest === '' ? 'main' : rest, request.headers, body)).answered };
};

const sessionAnswer = async ({ method }: IncomingMessage, { session }: Dependencies): Promise<LocalAnswer> => {
  if (session === undefined) return { status: 404, body: { message: 'Not Found' } };
  return method === 'POST' ? { status: 204, cookie: await session.open() } : { status: 405 };
};

const answerTo = async (request: IncomingMessage, path: string, dependencies: Dependencies): Promise<LocalAnswer> => {
  if (isForeign(request)) return { status: 403, body: { message: 'Only for pages and scripts of this machine' } };
  if (path === '/_local/clock') return clockAnswer(request, dependencies);
  if (path === '/_local/session') return sessionAnswer(request, dependencies);
  const inboxPath = /^\/_local\/inbox(?:\/([\w.-]{1,64}))?$/.exec(path);
  if (inboxPath) return inboxAnswer(request, inboxPath[1] ?? '', dependencies);
  return { status: 404, body: { message: 'Not Found' } };
};

const send = (response: ServerResponse, { status, body, cookie }: LocalAnswer): void => {
  if (cookie !== undefined) response.setHeader('set-cookie', cookie);
  response.writeHead(status, body === undefined ? {} : { 'content-type': 'application/json' });
  response.end(body === undefined ? undefined : `${JSON.stringify(body)}\n`);
};

export const createLocalApi =
  (dependencies: Dependencies): LocalHandler =>
  async (request, response, path) => {
    try {
      send(response, await answerTo(request, path, dependencies));
    } catch (error) {
      const isInput = error instanceof z.ZodError || error instanceof SyntaxError;
      const message = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
      send(response, { status: isInput ? 400 : error instanceof NotIdle ? 409 : 500, body: { message } });
    }
  };
