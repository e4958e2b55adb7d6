/**
 * One credential with its own institution: a sandbox over real HTTP whose clock follows the engine's, plus the
 * adapter's waiting times. A phone that nobody answers for two minutes therefore takes no real time.
 */
import { nowMs } from '#shared/platform/clock.ts';
import type { SandboxCredential } from '#shared/sources/sandbox-kit/credential.ts';
import type { JsonObject, SourceAdapter, SourceIo } from '#shared/sources/source.ts';
import type { SourceFolder } from './source-folders.ts';

/** The institution's counts and sums, by scope and period; `now` for scopes without periods. */
export type Ledger = Record<string, Record<string, { count: number; sums: Record<string, string> }>>;

export interface Story {
  folder: SourceFolder;
  entry: SandboxCredential;
  /** First value of the credentials. */
  login: string;
  /** The real adapter, whose waits pass on the institution's clock. */
  adapter: SourceAdapter;
  /** All texts of its sessions, for canaries. */
  sessionTexts: Set<string>;
  ledger(): Promise<Ledger>;
  logins(): Promise<{ logins: number; sessions: number }>;
  /** Returns the HTTP status: a sandbox refuses an unknown knob. */
  knobs(change: object): Promise<number>;
  close(): Promise<void>;
}

/** Long enough for a busy machine, and far below a test's time limit. */
const CALL_TIMEOUT_MS = 20_000;
/** If answers outlive the time limit, a short limit keeps the test short. A busy machine must log out within it. */
const SHORT_TIMEOUT_MS = 1_500;

const texts = (value: unknown): string[] => {
  if (typeof value === 'string') return [value, ...unpacked(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
};
/** A session may contain its cookies as JSON within JSON. */
const unpacked = (text: string): string[] => {
  if (!/^[[{]/.test(text)) return [];
  try {
    return texts(JSON.parse(text));
  } catch {
    return [];
  }
};

export const startStory = async (folder: SourceFolder, entry: SandboxCredential, knobs = {}): Promise<Story> => {
  let aheadMs = 0;
  const now = (): number => nowMs() + aheadMs;
  const sandbox = folder.createSandbox({ now, knobs });
  const url = await sandbox.listen(0);
  const timesOut = Object.values(entry.outcomes).includes('source.timeout');
  const timeoutMs = timesOut ? SHORT_TIMEOUT_MS : CALL_TIMEOUT_MS;
  const sessionTexts = new Set<string>();
  const keepTexts = (session: JsonObject): void => {
    for (const text of texts(session)) sessionTexts.add(text);
  };

  const own = (io: SourceIo): SourceIo => ({
    ...io,
    settings: {
      baseUrl: url,
      pace: { callDelayMs: 0, callsMax: Number.MAX_SAFE_INTEGER, windowMs: 0 },
      callTimeoutMs: timeoutMs,
      downloadTimeoutMs: timeoutMs,
    },
    now,
    wait: async (ms) => {
      io.signal.throwIfAborted();
      aheadMs += ms;
    },
  });

  const { source } = folder;
  const { tenders } = source;
  const adapter: SourceAdapter = {
    ...source,
    connect: async (request, io) => {
      const session = await source.connect(request, own(io));
      keepTexts(session);
      return session;
    },
    disconnect: (session, io) => source.disconnect(session, own(io)),
    pull: async (request, context) => {
      try {
        await source.pull(request, { ...context, io: own(context.io) });
      } finally {
        keepTexts(context.session);
      }
    },
    ...(tenders && {
      tenders: {
        isStillProven: tenders.isStillProven,
        publishedOn: (day, request, context) => tenders.publishedOn(day, request, { ...context, io: own(context.io) }),
        files: (request, wanted, session, io) => tenders.files(request, wanted, session, own(io)),
      },
    }),
  };

  const login = String(Object.values(entry.credentials)[0]);
  const door = async <T>(name: string): Promise<T> => {
    const answer = await fetch(`${url}/_sandbox/${name}?login=${encodeURIComponent(login)}`);
    if (!answer.ok) throw new Error(`the sandbox of ${folder.code} refuses ${name}: ${answer.status}`);
    return (await answer.json()) as T;
  };
  return {
    folder,
    entry,
    login,
    adapter,
    sessionTexts,
    ledger: () => door('ledger'),
    logins: () => door('logins'),
    knobs: async (change) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${url}/_sandbox/knobs`, { method: 'POST', headers, body: JSON.stringify(change) });
      await answer.body?.cancel();
      return answer.status;
    },
    close: () => sandbox.close(),
  };
};
