/** A session as plain JSON (cookies, opened apps), and the client that uses the session. */
import type { HttpClient } from '../http/client.ts';
import { isObject } from '../parsing/bodies.ts';
import { openClient, sessionUser } from '../parsing/session.ts';
import { type Json, SessionExpired } from '../source.ts';
import type { DataApp } from './apps.ts';
import { manifest } from './manifest.ts';
import { closedDoor } from './page-signs.ts';
import { LANDING_URL, PAGE_BYTES_MAX, TOKEN_COOKIES } from './wire.ts';

export interface OpenSession {
  http: HttpClient;
  /**
   * Names of the apps whose page was opened. Opening the page is always the first step of starting an app (tax.md
   * §2.5).
   */
  apps: Set<string>;
  /** Names of the apps whose start calls were made in this session. */
  started: Set<string>;
  /** Number of start calls that were made so far, by app; an app without an unfinished start has no entry. */
  startCalls: Map<string, number>;
  /** Page to which the login led. */
  landing: string;
  /** Value of the session cookie, which is also the `conversationId` of every data call. */
  token(): string | undefined;
  /** Writes cookies, landing page and opened apps back into the session, for the next worker. */
  save(): void;
}

export const { withSession, beginSession, endSession } = sessionUser((session, io): OpenSession => {
  const { http, save } = openClient(session, io, manifest.hosts);
  const open: OpenSession = {
    http,
    apps: namesIn(session.apps),
    started: namesIn(session.started),
    startCalls: countsIn(session.startCalls),
    landing: typeof session.landing === 'string' ? session.landing : LANDING_URL,
    token: () => TOKEN_COOKIES.map((name) => http.cookies.value(name)).find((value) => value !== undefined),
    save: () => {
      save();
      session.apps = [...open.apps];
      session.started = [...open.started];
      session.startCalls = Object.fromEntries(open.startCalls);
      session.landing = open.landing;
    },
  };
  return open;
});

const countsIn = (value: Json | undefined): Map<string, number> =>
  new Map(Object.entries(isObject(value) ? value : {}).map(([name, count]) => [name, Number(count)]));

const namesIn = (value: Json | undefined): Set<string> => new Set(Array.isArray(value) ? value.map(String) : []);

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
