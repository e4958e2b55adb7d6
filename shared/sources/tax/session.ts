/** A session as plain JSON (cookies, opened apps), and the client that uses the session. */
import type { HttpClient } from '../http/client.ts';
import { openClient, sessionUser } from '../parsing/session.ts';
import { SessionExpired } from '../source.ts';
import type { DataApp } from './apps.ts';
import { manifest } from './manifest.ts';
import { closedDoor } from './page-signs.ts';
import { PAGE_BYTES_MAX, TOKEN_COOKIES } from './wire.ts';

export interface OpenSession {
  http: HttpClient;
  /**
   * Names of the apps whose page was opened. Opening the page is always the first step of starting an app (tax.md
   * §2.5).
   */
  apps: Set<string>;
  /** Value of the session cookie, which is also the `conversationId` of every data call. */
  token(): string | undefined;
  /** Writes cookies, call times and opened apps back into the session, for the next worker. */
  save(): void;
}

export const { withSession, beginSession, endSession } = sessionUser((session, io): OpenSession => {
  const apps = new Set(Array.isArray(session.apps) ? session.apps.map(String) : []);
  const { http, save } = openClient(session, io, manifest.hosts);
  return {
    http,
    apps,
    token: () => TOKEN_COOKIES.map((name) => http.cookies.value(name)).find((value) => value !== undefined),
    save: () => {
      save();
      session.apps = [...apps];
    },
  };
});

export const requireToken = (open: OpenSession): string => {
  const token = open.token();
  if (token === undefined) throw new SessionExpired('the session has no token');
  return token;
};

/** Opens an app's page once per session, because the page sets cookies (tax.md §2.5). */
export const openApp = async (open: OpenSession, app: DataApp): Promise<void> => {
  if (open.apps.has(app.name)) return;
  const what = `page of ${app.name}`;
  const answer = await open.http.call({ what, url: app.url, bodyBytesMax: PAGE_BYTES_MAX });
  const door = closedDoor(what, answer);
  if (door) throw door;
  open.apps.add(app.name);
  open.save();
};
