/**
 * The calls the portal's page makes before its first data call (tax.md §2.5). Some app servers know the session only
 * after them; most clients never need them. So: best effort after a refused call, which is then made once more.
 */
import { SourceError, type SourceIo } from '../source.ts';
import type { DataApp } from './apps.ts';
import { dataRequest } from './envelope.ts';
import { type OpenSession, requireToken } from './session.ts';
import { ACCEPT, APPS_ORIGIN, TOKEN_TIE_URL } from './wire.ts';

/** Two sources put these services at the host's root or under the app (§2.5): both are tried. */
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
      // Only an institution's refusal is "best effort"; the engine's stop and our own faults are not.
      if (!(error instanceof SourceError)) throw error;
    }
  }
};

/** As jQuery writes a JSONP call; the random number only defeats caches. */
const tokenTieUrl = (nowMs: number): string => {
  const query = new URLSearchParams({ rnd: '0.5', callback: `jQuery_${nowMs}`, _: String(nowMs) });
  return `${TOKEN_TIE_URL}?${query}`;
};
