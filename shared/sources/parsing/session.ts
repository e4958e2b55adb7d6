/** A session as plain JSON, and the client that uses the session during one task. */
import { createHttpClient, type HttpClient } from '../http/client.ts';
import type { JsonObject, SourceIo } from '../source.ts';

/** Returns a client with the cookies of a session; `save` writes the cookies back for the next worker. */
export const openClient = (
  session: JsonObject,
  io: SourceIo,
  hosts: Readonly<Record<string, string>>,
  wire?: string,
): { http: HttpClient; save(): void } => {
  const http = createHttpClient({
    hosts,
    io,
    cookies: session.cookies as JsonObject | undefined,
    ...(wire && { wire }),
  });
  return {
    http,
    save: () => {
      session.cookies = http.cookies.toJson();
    },
  };
};

/** Writes a session back and closes its connections. */
export const closeSession = async ({
  http,
  save,
}: {
  http: Pick<HttpClient, 'close'>;
  save(): void;
}): Promise<void> => {
  save();
  await http.close();
};

type SessionWork<Open, Result> = (opened: Open) => Promise<Result>;

/** Opens a session for one call, and closes it afterwards. */
export const sessionUser = <Open extends Parameters<typeof closeSession>[0]>(
  open: (session: JsonObject, io: SourceIo) => Open,
) => {
  const withSession = async <Result>(
    session: JsonObject,
    io: SourceIo,
    work: SessionWork<Open, Result>,
  ): Promise<Result> => {
    const opened = open(session, io);
    try {
      return await work(opened);
    } finally {
      await closeSession(opened);
    }
  };
  return {
    withSession,
    /** Creates a new session and logs in. */
    beginSession: async (io: SourceIo, login: (opened: Open, session: JsonObject) => Promise<void>) => {
      const session: JsonObject = {};
      await withSession(session, io, (opened) => login(opened, session));
      return session;
    },
    /**
     * Logs out and ignores errors. The session may have ended already; if the institution is down, the session expires
     * without a logout.
     */
    endSession: (session: JsonObject, io: SourceIo, logout: SessionWork<Open, void>): Promise<void> =>
      withSession(session, io, logout).catch(() => undefined),
  };
};
