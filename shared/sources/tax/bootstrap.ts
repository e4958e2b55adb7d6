/**
 * Calls that the portal's page makes before its first data call (tax.md §2.5). Some app servers only accept the session
 * after them; most clients never need them. They are therefore made after a refused call, on a best-effort basis, and
 * the refused call is repeated once.
 */
import { SourceError, type SourceIo } from '../source.ts';
import type { DataApp } from './apps.ts';
import { dataRequest } from './envelope.ts';
import { type OpenSession, requireToken } from './session.ts';
import { ACCEPT, APPS_ORIGIN, TOKEN_TIE_URL } from './wire.ts';

/** One public source found these services at the host's root, another under the app (§2.5): both are tried. */
const commonRoots = (app: DataApp) => [`${APPS_ORIGIN}/common-1.0/services`, `${app.url}common-1.0/services`];

export const bootstrap = async (open: OpenSession, app: DataApp, io: SourceIo): Promise<void> => {
  const headers = { accept: ACCEPT, 'content-type': 'application/json', referer: app.url };
  const steps: (() => Promise<unknown>)[] = [
    () => open.http.call({ what: `page of ${app.name}`, url: app.url }),
    ...commonRoots(app).flatMap((root) => [
      () =>
        open.http.call({
          what: 'app configuration',
          url: `${root}/autConfDataService/obtieneConf`,
          method: 'POST',
          headers,
          body: '{}',
        }),
      () => open.http.call({ what: 'app session', url: `${root}/aaSessionService/load`, headers: { accept: ACCEPT } }),
    ]),
    () => open.http.call({ what: 'token tie', url: tokenTieUrl(io.now()) }),
  ];
  const { startMethod } = app;
  if (startMethod !== null) steps.push(() => open.http.call(dataRequest(app, startMethod, {}, requireToken(open))));
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      // Ignore refusals of the institution; rethrow the engine's stop and our own faults.
      if (!(error instanceof SourceError)) throw error;
    }
  }
};

/** Address as jQuery writes a JSONP call; the random number only defeats caches. */
const tokenTieUrl = (nowMs: number): string => {
  const query = new URLSearchParams({ rnd: '0.5', callback: `jQuery_${nowMs}`, _: String(nowMs) });
  return `${TOKEN_TIE_URL}?${query}`;
};
