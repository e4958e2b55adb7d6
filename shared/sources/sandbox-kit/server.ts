/**
 * Common interface of the simulated institutions. One may run as a server of its own, or as part of a stage's function.
 */
import type { FastifyInstance } from 'fastify';
import { FORM_TYPE, pause } from './answers.ts';
import { type Doors, type LoginRecords, registerDoors } from './doors.ts';
import type { Memory } from './memory.ts';

export interface SandboxOptions<Knobs = object> {
  seed?: string;
  now?: () => number;
  /** Absent for one memory for all logins, which ends with the process. */
  memory?: Memory;
  /** Whether the server has ledger, counts and knobs, which the real institution does not have. True by default. */
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
   * Names the credential whose memory this request needs, using only the request. Undefined when the request belongs to
   * no known credential; its state may be discarded.
   */
  ownerOf(request: SandboxRequest): string | undefined;
  /** Port 0 means any free port. Returns the base URL for the source's settings. */
  listen(port: number): Promise<string>;
  close(): Promise<void>;
}

export interface Institution<Ledger> extends SandboxServer, LoginRecords<Ledger> {}

/** The value of a cookie in a request; `''` when it is missing. */
export const cookieIn = ({ headers }: Pick<SandboxRequest, 'headers'>, name: string): string =>
  new RegExp(`(?:^|;\\s*)${name}=([^;]*)`).exec(String(headers.cookie ?? ''))?.[1] ?? '';

/** Listens only on loopback. */
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
