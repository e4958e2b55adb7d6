/** Login, one answer a month, logout. */
import { createHttpClient, type HttpClient } from '#shared/sources/http/client.ts';
import { type JsonObject, type SourceAdapter, SourceError, type SourceIo } from '#shared/sources/source.ts';
import { manifest } from './manifest.ts';

const API = manifest.hosts.api;

const withClient = async <Result>(io: SourceIo, work: (http: HttpClient) => Promise<Result>): Promise<Result> => {
  const http = createHttpClient({ hosts: manifest.hosts, io });
  try {
    return await work(http);
  } finally {
    await http.close();
  }
};

const bearer = (session: JsonObject) => ({ authorization: `Bearer ${session.token}` });

interface Line {
  number: string;
  day: string;
  text: string;
  amount: string;
}

const unreadable = (what: string): SourceError => new SourceError('source.unexpected_response', `movements: ${what}`);

export const source: SourceAdapter = {
  manifest,
  loginOf: ({ user }) => String(user),
  connect: ({ credentials }, io) =>
    withClient(io, async (http) => {
      const body = JSON.stringify(credentials);
      const headers = { 'content-type': 'application/json' };
      const call = { what: 'login', url: `${API}/login`, method: 'POST', isLogin: true, headers, body } as const;
      return io.login(async () => {
        const answer = await http.call(call);
        if (answer.status === 401) throw new SourceError('source.invalid_credentials', 'the password was refused');
        return { token: JSON.parse(answer.text()).token };
      });
    }),
  disconnect: (session, io) =>
    withClient(io, async (http) => {
      await http.call({ what: 'logout', url: `${API}/logout`, method: 'POST', headers: bearer(session) });
    }),
  pull: async ({ period }, { session, ask, io }) => {
    await ask('movements', () =>
      withClient(io, async (http) => {
        const url = `${API}/movements?month=${period}`;
        const { contentType, body } = await http.call({ what: 'movements', url, headers: bearer(session) });
        return { request: { period }, contentType, body };
      }),
    );
  },
  parse: function* ({ period }, answers) {
    for (const { key, body } of answers) {
      const { month, lines } = JSON.parse(new TextDecoder().decode(body)) as { month: string; lines: Line[] };
      if (month !== period) throw unreadable('another month was answered');
      for (const line of lines) {
        const row = { period, number: line.number, day: line.day, description: line.text, amount: line.amount };
        yield { row: { row, raw: { ...line }, answerKey: key } };
      }
    }
  },
};
