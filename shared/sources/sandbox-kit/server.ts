/** What every simulated institution is, whoever runs it: a server of its own, or part of the function of a stage. */
import type { FastifyInstance } from 'fastify';
import { FORM_TYPE, pause } from './answers.ts';
import { type Doors, type LoginRecords, registerDoors } from './doors.ts';
import type { Memory } from './memory.ts';

export interface SandboxOptions<Knobs = object> {
  seed?: string;
  now?: () => number;
  /** Absent: one for everybody, which ends with the process. */
  memory?: Memory;
  /** Ledger, counts and knobs, which the institution does not have. Open unless said otherwise. */
  hasDoors?: boolean;
  knobs?: Partial<Knobs>;
}

export interface SandboxRequest {
  /** Path and query as they were sent. */
  url: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

export interface SandboxServer {
  /** The institution on its wire. */
  app: FastifyInstance;
  /**
   * Whose memory this request needs: a name of one credential, found without any memory. Undefined: nobody's that the
   * sandbox knows, and whatever is remembered on the way is worth nothing.
   */
  ownerOf(request: SandboxRequest): string | undefined;
  /** Port 0 = any free one. Gives the base URL to be put into the source's settings. */
  listen(port: number): Promise<string>;
  close(): Promise<void>;
}

export interface Institution<Ledger> extends SandboxServer, LoginRecords<Ledger> {}

/** The value of a cookie of a request, `''` when it is not there. */
export const cookieIn = ({ headers }: Pick<SandboxRequest, 'headers'>, name: string): string =>
  new RegExp(`(?:^|;\\s*)${name}=([^;]*)`).exec(String(headers.cookie ?? ''))?.[1] ?? '';

/** On loopback alone. */
export const listening = (app: FastifyInstance): Pick<SandboxServer, 'app' | 'listen' | 'close'> => ({
  app,
  listen: (port) => app.listen({ port, host: '127.0.0.1' }),
  close: () => app.close(),
});

export const isOwnDoor = ({ url }: { url: string }): boolean => url.startsWith('/_sandbox/');

/** A posted form is read as its fields. */
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
