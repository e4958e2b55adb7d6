/** Makes the calls to the data apps, and starts an app once if it rejects the session (tax.md §2.5). */
import type { HttpResponse } from '../http/client.ts';
import { statusFault } from '../http/faults.ts';
import { looksLikePage } from '../parsing/bodies.ts';
import { reading } from '../parsing/results.ts';
import { type JsonObject, SessionExpired, SourceError, type SourceIo } from '../source.ts';
import { type DataApp, REGISTER_APP } from './apps.ts';
import { bootstrap } from './bootstrap.ts';
import {
  accountFault,
  dataRequest,
  type Expected,
  isRefusal,
  pageInstead,
  type TaxVerdict,
  validateResponse,
} from './envelope.ts';
import { closedDoor } from './page-signs.ts';
import { type OpenSession, openApp, requireToken } from './session.ts';
import { FILE_TEXT_BYTES_MAX } from './wire.ts';

export type Refusable = Exclude<TaxVerdict, { kind: 'expired' }>;
export type UsableResponse = Exclude<Refusable, { kind: 'refused' }>;

export interface DataAnswer<V extends Refusable = UsableResponse> {
  http: HttpResponse;
  verdict: V;
}

export interface DataClient {
  call(method: string, data: JsonObject): Promise<DataAnswer>;
  /**
   * Makes a call that no public source was seen making. If the service refuses the call, the refusal is a valid answer.
   */
  tryCall(method: string, data: JsonObject): Promise<DataAnswer<Refusable>>;
}

export interface RegisterClient extends DataClient {
  /** Returns the bytes of a file whose job is finished, unchanged. */
  download(path: string): Promise<HttpResponse>;
}

/**
 * Makes the call. If the app rejects the session or the company, starts the app as the portal does and repeats the call
 * once. A company that is still rejected after the start is not tried again in this session.
 */
const repaired = async <Answer>(
  open: OpenSession,
  app: DataApp,
  io: SourceIo,
  attempt: () => Promise<Answer | { expired: string }>,
): Promise<Answer> => {
  const first = await attempt().catch((error: unknown) => {
    if (!isCompanyRefused(error) || open.started.has(app.name)) throw error;
    return { expired: error.message };
  });
  if (!isExpired(first)) return first;
  await bootstrap(open, app, io);
  const second = await attempt();
  if (isExpired(second)) throw new SessionExpired(second.expired);
  return second;
};

const isCompanyRefused = (error: unknown): error is SourceError =>
  error instanceof SourceError && error.code === 'source.wrong_company';

const isExpired = (answer: unknown): answer is { expired: string } =>
  typeof answer === 'object' && answer !== null && 'expired' in answer;

export const createDataClient = (open: OpenSession, app: DataApp, io: SourceIo): DataClient => {
  const ask = async (method: string, data: JsonObject, { mayRefuse }: Expected): Promise<DataAnswer<Refusable>> => {
    await openApp(open, app);
    return repaired<DataAnswer<Refusable>>(open, app, io, async () => {
      const call = dataRequest(app, method, data, requireToken(open));
      const answer = await open.http.call({ ...call, anyStatus: mayRefuse });
      open.save();
      const fault = mayRefuse && isRefusal(answer.status) ? undefined : statusFault(method, answer, io.now());
      if (fault) throw fault;
      const verdict = await reading({ method }, answer, () => validateResponse(app, method, answer, { mayRefuse }));
      return verdict.kind === 'expired' ? { expired: `${method}: ${verdict.why}` } : { http: answer, verdict };
    });
  };
  return {
    // Without `mayRefuse`, a refusal throws, so the answer here is never a refusal.
    call: async (method, data) => (await ask(method, data, { mayRefuse: false })) as DataAnswer,
    tryCall: (method, data) => ask(method, data, { mayRefuse: true }),
  };
};

export const createRegisterClient = (open: OpenSession, io: SourceIo): RegisterClient => ({
  ...createDataClient(open, REGISTER_APP, io),
  download: (path) =>
    repaired<HttpResponse>(open, REGISTER_APP, io, async () => {
      const answer = await open.http.call({
        what: 'file download',
        url: `${REGISTER_APP.serviceUrl}/${path}`,
        headers: { referer: REGISTER_APP.url },
        timeoutMs: io.settings.downloadTimeoutMs,
        bodyBytesMax: FILE_TEXT_BYTES_MAX,
      });
      open.save();
      const account = accountFault('file download', answer);
      if (account) throw account;
      if (answer.status === 401 || answer.status === 403) return { expired: `file download: HTTP ${answer.status}` };
      const door = closedDoor('file download', answer);
      if (door) throw door;
      // An answer that begins like an HTML page is a login page: neither gzip nor CSV begins like this.
      if (looksLikePage(answer.body)) {
        return { expired: `file download: ${pageInstead('file download', answer, 'a file')}` };
      }
      return answer;
    }),
});
