/** Calls to the register's facade, with the one repair a session may get (tax.md §2.5). */
import { v4 } from 'uuid';
import type { HttpAnswer } from '../http/client.ts';
import { type JsonObject, reading, SessionExpired, type SourceIo } from '../source.ts';
import { bootstrap } from './bootstrap.ts';
import { facadeRequest, judge, type Verdict } from './envelope.ts';
import { closedDoor, looksLikePage } from './page-signs.ts';
import { type OpenSession, requireToken } from './session.ts';
import { FACADE_URL, RCV_APP_URL } from './wire.ts';

export type Judged = Exclude<Verdict, { kind: 'expired' }>;

export interface FacadeAnswer {
  http: HttpAnswer;
  verdict: Judged;
}

export interface RegisterClient {
  call(method: string, data: JsonObject): Promise<FacadeAnswer>;
  /** Bytes of a finished file, as they came. */
  download(path: string): Promise<HttpAnswer>;
}

/** A month of 100,000 documents is about 3 MB of gzip; ten times that is not a file of the register. */
const FILE_BYTES_MAX = 128 * 1024 * 1024;

export const createRegisterClient = (open: OpenSession, io: SourceIo): RegisterClient => {
  /** Makes the call; refused for its session, starts the app as the portal does and makes it once more. */
  const repaired = async <Answer>(attempt: () => Promise<Answer | { expired: string }>): Promise<Answer> => {
    const first = await attempt();
    if (!isExpired(first)) return first;
    await bootstrap(open, io);
    const second = await attempt();
    if (isExpired(second)) throw new SessionExpired(second.expired);
    return second;
  };

  return {
    call: (method, data) =>
      repaired<FacadeAnswer>(async () => {
        const answer = await open.http.call(facadeRequest(method, data, requireToken(open), v4()));
        open.save();
        const { contentType, body } = answer;
        const verdict = await reading({ request: { method }, contentType, body }, () => judge(method, answer));
        return verdict.kind === 'expired' ? { expired: `${method}: ${verdict.why}` } : { http: answer, verdict };
      }),
    download: (path) =>
      repaired<HttpAnswer>(async () => {
        const answer = await open.http.call({
          what: 'file download',
          url: `${FACADE_URL}/${path}`,
          headers: { referer: RCV_APP_URL },
          timeoutMs: io.settings.downloadTimeoutMs,
          bodyBytesMax: FILE_BYTES_MAX,
        });
        open.save();
        if (answer.status === 401 || answer.status === 403) return { expired: `file download: HTTP ${answer.status}` };
        const door = closedDoor('file download', answer);
        if (door) throw door;
        // Neither a gzip nor a CSV begins like a page; a login page does.
        if (looksLikePage(answer.body)) {
          return { expired: 'file download: a page instead of a file' };
        }
        return answer;
      }),
  };
};

const isExpired = (answer: unknown): answer is { expired: string } =>
  typeof answer === 'object' && answer !== null && 'expired' in answer;
