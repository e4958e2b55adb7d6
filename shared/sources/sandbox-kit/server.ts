/**
 * Common interface of the simulated institutions. A simulated institution runs as a server of its own, or as part of a
 * stage's function.
 */
import type { FastifyInstance } from 'fastify';
import { FORM_TYPE, pause } from './answers.ts';
import { type Doors, type LoginRecords, registerDoors } from './doors.ts';
import type { Memory } from './memory.ts';

export interface SandboxOptions<Knobs = object> {
  seed?: string;
  now?: () => number;
  /** Memory of the clients. If absent, the server uses one memory for all logins, which ends with the process. */
  memory?: Memory;
  /** True if the server has ledger, counts and knobs, which the real institution does not have. True by default. */
  hasDoors?: boolean;
  knobs?: Partial<Knobs>;
}

export interface SandboxRequest {
  /** Path and query of the request, unchanged. */
  url: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

export interface SandboxServer {
  /** The institution on its wire. */
  app: FastifyInstance;
  /**
   * Returns the credential whose memory this request needs, using only the request. Returns undefined if the request
   * belongs to no known credential; the memory that such a request changed may be discarded.
   */
  ownerOf(request: SandboxRequest): string | undefined;
  /** Starts to listen and returns the base URL for the source's settings. Port 0 means any free port. */
  listen(port: number): Promise<string>;
  close(): Promise<void>;
}

export interface Institution<Ledger> extends SandboxServer, LoginRecords<Ledger> {}

/** Returns the value of a cookie in a request; `''` when it is missing. */
export const cookieIn = ({ headers }: Pick<SandboxRequest, 'headers'>, name: string): string =>
  new RegExp(`(?:^|;\\s*)${name}=([^;]*)`).exec(String(headers.cookie ?? ''))?.[1] ?? '';

/** Returns a server that listens only on loopback. */
export const listening = (app: FastifyInstance): Pick<SandboxServer, 'app' | 'listen' | 'close'> => ({
  app,
  listen: (port) => app.listen({ port, host: '127.0.0.1' }),
  close: () => app.close(),
});

export const isOwnDoor = ({ url }: { url: string }): boolean => url.startsWith('/_sandbox/');

/** Parses a posted form into its fields. */
export const readForms = (app: FastifyInstance): void => {
  app.addContentTypeParser(FORM_TYPE, { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
};

export const delayAnswers = (app: FastifyInstance, knobs: { latencyMs: number }): void => {
  app.addHook('onRequest', async (request) => {
    if (knobs.latencyMs > 0 && !isOwnDoor(request)) await pause(app, knobs.latencyMs);
  });
};

export const serveInstitution = <Ledger, Change extends object>(
  app: FastifyInstance,
  { hasDoors = true }: SandboxOptions,
  records: LoginRecords<Ledger> & Pick<SandboxServer, 'ownerOf'>,
  doors: Doors<Change>,
): Institution<Ledger> => {
  if (hasDoors) registerDoors(app, records, doors);
  return { ...listening(app), ...records };
};
