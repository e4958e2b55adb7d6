/**
 * Calls that a browser makes between the login and the first data call (tax.md §2.5): the landing page and the start of
 * the app. Some app servers accept the session or the company only after these calls, although most clients never needed
 * them. The adapter makes these calls after a refused data call, ignores their failures, and repeats the refused call
 * once. If the pace interrupts the calls, the next worker makes the remaining ones.
 */
import { SourceError, type SourceIo } from '../source.ts';
import type { DataApp } from './apps.ts';
import { dataRequest } from './envelope.ts';
import { type OpenSession, requireToken } from './session.ts';
import { ACCEPT, APPS_ORIGIN, PAGE_BYTES_MAX, TOKEN_TIE_URL } from './wire.ts';

/**
 * Returns the two addresses that public sources give for these services: at the host's root, and under the app (§2.5).
 * The adapter tries both addresses.
 */
const commonRoots = (app: DataApp) => [`${APPS_ORIGIN}/common-1.0/services`, `${app.url}common-1.0/services`];

export const bootstrap = async (open: OpenSession, app: DataApp, io: SourceIo): Promise<void> => {
  const headers = { accept: ACCEPT, 'content-type': 'application/json', referer: app.url };
  const steps: (() => Promise<unknown>)[] = [
    () => open.http.call({ what: 'landing page', url: open.landing, bodyBytesMax: PAGE_BYTES_MAX }),
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
    ...app.startCalls.map(
      ({ service, method }) =>
        () =>
          open.http.call({
            ...dataRequest(app, method, {}, requireToken(open)),
            url: `${app.url}services/data/${service}/${method}`,
          }),
    ),
  ];
  for (const [at, step] of steps.entries()) {
    if (at < (open.startCalls.get(app.name) ?? 0)) continue;
    try {
      await step();
    } catch (error) {
      // Refusals of the institution are ignored. A stop by the engine and our own mistakes are thrown again.
      if (!(error instanceof SourceError)) throw error;
    }
    open.startCalls.set(app.name, at + 1);
    open.save();
  }
  open.startCalls.delete(app.name);
  open.started.add(app.name);
  open.save();
};

/** Returns the address as jQuery writes a JSONP call; the random number only prevents caching. */
const tokenTieUrl = (nowMs: number): string => {
  const query = new URLSearchParams({ rnd: '0.5', callback: `jQuery_${nowMs}`, _: String(nowMs) });
  return `${TOKEN_TIE_URL}?${query}`;
};
