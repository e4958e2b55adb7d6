/**
 * The function that plays all institutions of a stage, as AWS runs it: several instances that share nothing but the
 * table, behind one address. Each request goes to another instance than the one before.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { vi } from 'vitest';
import { SANDBOX_LIMITS } from '#functions/sandbox/limits.ts';
import type { SourceFolder } from './source-folders.ts';

interface Instance {
  handler(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2>;
  read(institution: string, owner: string): Promise<{ text: string }>;
}

const CLOCK = '#shared/platform/clock.ts';
const LIMITS_FILE = '#functions/sandbox/limits.ts';

/** With its own modules, including the table's client, and the institution's time instead of the engine's. */
const freshInstance = async (nowMs: () => number, answerMs: () => number): Promise<Instance> => {
  vi.resetModules();
  vi.doMock(CLOCK, () => ({ nowMs, nowSeconds: () => Math.floor(nowMs() / 1000) }));
  const limits = Object.defineProperty({ ...SANDBOX_LIMITS }, 'sandboxAnswerMs', { get: answerMs });
  vi.doMock(LIMITS_FILE, () => ({ SANDBOX_LIMITS: limits }));
  const [{ handler }, { read }] = await Promise.all([
    import('#functions/sandbox/handler.ts'),
    import('#functions/sandbox/memory.store.ts'),
  ]);
  vi.doUnmock(CLOCK);
  vi.doUnmock(LIMITS_FILE);
  vi.resetModules();
  return { handler, read };
};

export interface SandboxFunction {
  /** Requests that each instance answered so far. */
  answered: number[];
  /** HTTP statuses of all answers so far. */
  statuses: number[];
  /** Sends a request to one instance, as a gateway passes it on. */
  ask(instance: number, request: { method?: string; url: string; headers?: object; body?: string }): Promise<Told>;
  /**
   * The source with its institution behind the function; its test endpoints, which the function does not offer, are
   * answered here.
   */
  of(folder: SourceFolder): SourceFolder;
}

export interface Told extends APIGatewayProxyStructuredResultV2 {
  text: string;
}

const eventOf = (method: string, url: string, headers: object, body: Buffer): APIGatewayProxyEventV2 => {
  const { cookie, ...others } = headers as Record<string, string>;
  const [rawPath = '/', rawQueryString = ''] = url.split(/\?(.*)/s);
  return {
    version: '2.0',
    rawPath,
    rawQueryString,
    headers: others,
    ...(cookie === undefined ? {} : { cookies: cookie.split('; ') }),
    requestContext: { http: { method, path: rawPath } },
    ...(body.length === 0 ? {} : { body: body.toString('base64') }),
    isBase64Encoded: body.length > 0,
  } as unknown as APIGatewayProxyEventV2;
};

/** Entries of the institution's state that are still open, as stored in the table. */
const entriesIn = (text: string, name: string): unknown[] =>
  text === '' ? [] : ((JSON.parse(text) as Record<string, unknown[]>)[name] ?? []);

/** @param answerMs time limit for an institution's answer */
export const startSandboxFunction = async (
  instances: number,
  answerMs: () => number = () => SANDBOX_LIMITS.sandboxAnswerMs,
): Promise<SandboxFunction> => {
  let now: () => number = Date.now;
  const all: Instance[] = [];
  for (let n = 0; n < instances; n++) all.push(await freshInstance(() => now(), answerMs));
  const answered = all.map(() => 0);
  const statuses: number[] = [];
  let turn = 0;

  const handle = async (n: number, event: APIGatewayProxyEventV2) => {
    const answer = await all[n]!.handler(event);
    answered[n]!++;
    statuses.push(answer.statusCode!);
    return answer;
  };

  const pass = async (code: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const event = eventOf(request.method!, `/${code}${request.url}`, request.headers, Buffer.concat(chunks));
    const { statusCode, headers, cookies, body, isBase64Encoded } = await handle(turn++ % all.length, event);
    response.writeHead(statusCode!, {
      ...(headers as Record<string, string>),
      ...(cookies?.length ? { 'set-cookie': cookies } : {}),
    });
    response.end(Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'));
  };

  const ask: SandboxFunction['ask'] = async (n, { method = 'GET', url, headers = {}, body = '' }) => {
    const answer = await handle(n, eventOf(method, url, headers, Buffer.from(body)));
    return { ...answer, text: Buffer.from(answer.body ?? '', answer.isBase64Encoded ? 'base64' : 'utf8').toString() };
  };

  const of = (folder: SourceFolder): SourceFolder => ({
    ...folder,
    createSandbox: (options) => {
      now = options.now;
      // The same seed in this process gives the same ledger.
      const { app } = folder.createSandbox(options);
      const doors = async (url: string, response: ServerResponse): Promise<void> => {
        if (url.startsWith('/_sandbox/ledger')) return void response.end((await app.inject(url)).body);
        const login = new URL(url, 'http://sandbox').searchParams.get('login')!;
        const { text } = await all[0]!.read(folder.code, login);
        const sessions = [...entriesIn(text, 'sessions'), ...entriesIn(text, 'tokens')].length;
        const logins = (entriesIn(text, 'logins') as [string, number][]).reduce((sum, [, count]) => sum + count, 0);
        response.end(JSON.stringify({ logins, sessions }));
      };
      const server = createServer((request, response) => {
        const url = request.url!;
        const task = url.startsWith('/_sandbox/') ? doors(url, response) : pass(folder.code, request, response);
        task.catch(() => response.writeHead(500).end());
      });
      return {
        app,
        ownerOf: () => undefined,
        listen: async () => {
          await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
          return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        },
        close: async () => {
          server.closeAllConnections();
          await new Promise((resolve) => server.close(resolve));
          await app.close();
        },
      };
    },
  });
  return { answered, statuses, ask, of };
};
