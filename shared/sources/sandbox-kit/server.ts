/** What every simulated institution is, whoever runs it: a server of its own, or part of the function of a stage. */
import type { FastifyInstance } from 'fastify';
import type { Memory } from './memory.ts';

export interface SandboxOptions {
  seed?: string;
  now?: () => number;
  /** Absent: one for everybody, which ends with the process. */
  memory?: Memory;
  /** Ledger, counts and knobs, which the institution does not have. Open unless said otherwise. */
  hasDoors?: boolean;
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

export const cookieIn = ({ headers }: SandboxRequest, name: string): string =>
  new RegExp(`(?:^|;\\s*)${name}=([^;]*)`).exec(String(headers.cookie ?? ''))?.[1] ?? '';

/** On loopback alone. */
export const listening = (app: FastifyInstance): Pick<SandboxServer, 'app' | 'listen' | 'close'> => ({
  app,
  listen: (port) => app.listen({ port, host: '127.0.0.1' }),
  close: () => app.close(),
});
