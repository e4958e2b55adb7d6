/** A source that a test scripts: three documents a month in two answers, with counted logins and sessions. */

import { once } from 'node:events';
import { type Parsed, type RawAnswer, type SourceAdapter, SourceError, type SourceIo } from '#shared/sources/source.ts';
import { manifest } from '#shared/sources/tax/manifest.ts';

interface Script {
  /** Documents of each month. */
  folios: Record<string, number[]>;
  /** Thrown one by one at the next pulls. */
  failures: Error[];
  /** A month with unreadable answers. */
  unreadable: string | null;
  /** How often answers of such a month were parsed. */
  refusals: number;
  /** A month with one unreadable line. */
  oddLine: string | null;
  /** Reports the totals of its documents. */
  isHonest: boolean;
  connect: ((io: SourceIo) => Promise<unknown>) | null;
  pull: (() => Promise<never>) | null;
  beforePull: (() => Promise<void>) | null;
  /** Called before each answer is fetched; may throw. */
  beforeFetch: ((period: string, key: string) => void) | null;
  /** This many pulls get one answer and then wait until their signal stops them. */
  stalls: number;
}

export interface ScriptedSource extends SourceAdapter {
  script: Script;
  counts: {
    logins: number;
    logouts: number;
    openSessions: number;
    mostSessionsAtATime: number;
  };
  reset(): void;
}

const FOLIOS: Record<string, number[]> = { '2026-09': [1, 2, 3], '2026-10': [4, 5, 6] };
const freshScript = (): Script => ({
  folios: FOLIOS,
  failures: [],
  unreadable: null,
  refusals: 0,
  oddLine: null,
  isHonest: false,
  connect: null,
  pull: null,
  beforePull: null,
  beforeFetch: null,
  stalls: 0,
});
const freshCounts = () => ({ logins: 0, logouts: 0, openSessions: 0, mostSessionsAtATime: 0 });

const foliosIn = ({ body }: RawAnswer): number[] => JSON.parse(new TextDecoder().decode(body)) as number[];

/** Every document has the same amounts. */
function* toldOf(answers: readonly RawAnswer[]): Generator<Parsed> {
  const book = { direction: 'received', estado: 'registro' };
  const count = answers.flatMap(foliosIn).length;
  yield { wholeTotals: book };
  if (count === 0) return;
  const sums = { net_amount: 100 * count, vat_amount: 19 * count, exempt_amount: 0, total_amount: 119 * count };
  const figures = Object.fromEntries(
    Object.entries({ rows: count, ...sums }).map(([name, sum]) => [name, String(sum)]),
  );
  yield { total: { group: { ...book, document_type: '33' }, figures } };
}

export const scriptedSource = (): ScriptedSource => {
  const sessions = new Set<string>();
  const count = () => {
    source.counts.openSessions = sessions.size;
    source.counts.mostSessionsAtATime = Math.max(source.counts.mostSessionsAtATime, sessions.size);
  };
  const answer = (period: string, folios: number[]) => ({
    request: { period },
    contentType: 'application/json',
    body: new TextEncoder().encode(JSON.stringify(folios)),
  });
  const source: ScriptedSource = {
    manifest,
    script: freshScript(),
    counts: freshCounts(),
    reset: () => {
      sessions.clear();
      source.script = freshScript();
      source.counts = freshCounts();
    },
    loginOf: (credentials) => String(credentials.login),
    connect: ({ credentials }, io) =>
      io.login(async () => {
        source.counts.logins++;
        if (source.script.connect) await source.script.connect(io);
        if (String(credentials.login).startsWith('wrong'))
          throw new SourceError('source.invalid_credentials', 'The password was rejected.');
        const id = `session-${source.counts.logins}`;
        sessions.add(id);
        count();
        return { id };
      }),
    disconnect: async (session, io) => {
      await io.turn('calls');
      source.counts.logouts++;
      sessions.delete(String(session.id));
      count();
    },
    pull: async ({ period }, { ask, io, progress }) => {
      await source.script.beforePull?.();
      source.script.beforePull = null;
      if (source.script.pull) await source.script.pull();
      const failure = source.script.failures.shift();
      if (failure) throw failure;
      progress(`rcv ${period}: 1 of 2 answers`);
      const folios = source.script.folios[period ?? ''] ?? [];
      const part = (key: string, of: number[]) =>
        ask(key, async () => {
          source.script.beforeFetch?.(period!, key);
          return answer(period!, of);
        });
      await part('first', folios.slice(0, 2));
      if (source.script.stalls-- > 0) {
        if (!io.signal.aborted) await once(io.signal, 'abort');
        io.signal.throwIfAborted();
      }
      await part('second', folios.slice(2));
    },
    parse: function* ({ period }, answers) {
      if (period === source.script.unreadable) {
        source.script.refusals++;
        throw new SourceError('source.unexpected_response', 'row 1: folio cannot be read');
      }
      if (period === source.script.oddLine)
        yield { unreadable: { code: 'tax.rcv.lines_unreadable', message: `${period}: line 4 cannot be read` } };
      if (source.script.isHonest) yield* toldOf(answers);
      for (const answer of answers) {
        const { key } = answer;
        for (const folio of foliosIn(answer)) {
          yield {
            row: {
              answerKey: key,
              raw: { folio },
              row: {
                period,
                direction: 'received',
                document_type: '33',
                folio: String(folio),
                issuer_rut: '70000001-K',
                issuer_name: 'PROVEEDOR',
                receiver_rut: '70000002-8',
                receiver_name: null,
                issued_at: `${period}-0${folio}`,
                received_at: null,
                net_amount: '100',
                exempt_amount: '0',
                vat_amount: '19',
                total_amount: '119',
                currency: 'CLP',
                status: null,
                estado: 'registro',
                acknowledged_at: null,
                claimed_at: null,
                transaction_type: null,
              },
            },
          };
        }
      }
    },
  };
  return source;
};
