/**
 * An institution accepts a login and then shows a page instead of data. No page costs more than two logins in a run,
 * over all scopes and attempts, and pages about the account are named (docs/decisions.md §5, "Logins").
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sourcePaceVariable } from '#shared/platform/needs.ts';
import type { SandboxCredential } from '#shared/sources/sandbox-kit/credential.ts';
import { LOGIN_LIMITS } from '#shared/sync/limits.ts';
import { SYNC_ERRORS } from '#shared/values/sync-errors.ts';
import { type Lie, whileLying } from '#test/fakes/lying-wire.ts';
import { loadSources } from '#test/helpers/source-folders.ts';
import { startStory } from '#test/helpers/source-story.ts';
import { type SourceWorld, startSourceWorld } from '#test/helpers/source-world.ts';
import { inputOf, QUIET_HOURS, STAGE_TIMEOUT_MS } from './stage.ts';

vi.mock('#shared/transport/connections.ts', () => import('#test/fakes/lying-wire.ts'));

const FORM = '<form><input name="rut"><input type="password" name="clave"></form>';
const page = (text: string): string => `<html><head><title>Portal</title></head><body>${text}</body></html>`;

const EXPIRED = page(`<p>Su clave ha expirado, debe cambiarla</p>${FORM}`);
const PAGES = {
  'the password has expired': [EXPIRED, 'source.password_expired'],
  'new terms': [page('<p>Debe aceptar los nuevos t\xe9rminos</p>'), 'source.consent_expired'],
  'a second session': [
    page('<p>Sesi\xf3n duplicada: usted ha iniciado sesi\xf3n en otro dispositivo</p>'),
    'source.session_limit',
  ],
  'the login form': [page(`<p>Si su clave ha expirado, llame a su ejecutiva</p>${FORM}`), 'source.unavailable'],
} as const;

interface Wire {
  login: RegExp;
  data: RegExp;
  /** The first data of a session, which the login itself reads. */
  first?: RegExp;
}

const WIRES: Readonly<Record<string, Wire>> = {
  tax: { login: /CAutInicio\.cgi$/, data: /\/services\/data\// },
  bankone: { login: /\/login\/autenticar$/, data: /\/rest\/empresa\/(?!empresas)/, first: /\/rest\/empresa\/empresas/ },
  bankthree: { login: /\/login\.asp$/, data: /\/empresas\/(?!login|inicio|salir)/ },
};

const folders = (await loadSources()).filter(({ code }) => code in WIRES || ['banktwo', 'procurement'].includes(code));
let world: SourceWorld;
beforeAll(async () => {
  world = await startSourceWorld(folders, { table: 'quick', startsAt: QUIET_HOURS });
});
afterAll(() => world.stop());

const endWith = async (folder: (typeof folders)[number], entry: SandboxCredential, lie: Lie) => {
  const story = await startStory(folder, entry);
  try {
    const connection = await world.connect(story);
    const run = await world.start(connection, inputOf(folder));
    await whileLying(lie, () => world.drain());
    return { ...(await world.look(run)), ...(await story.logins()) };
  } finally {
    await story.close();
  }
};

describe.each(folders.filter(({ code }) => code in WIRES).map((folder) => [folder.code, folder] as const))(
  '%s',
  (code, folder) => {
    const { login, data, first } = WIRES[code]!;
    const showing =
      (where: RegExp, body: string): Lie =>
      (path) =>
        where.test(path) ? { status: 200, body } : undefined;
    const places = { 'of data': data, ...(first && { 'of the first answer': first }) };
    const cases = Object.entries(places).flatMap(([where, paths]) =>
      Object.entries(PAGES).map(([what, [body, errorCode]]) => [what, where, paths, body, errorCode] as const),
    );

    test.each(cases)('%s, instead %s', { timeout: STAGE_TIMEOUT_MS }, async (_what, _where, paths, body, errorCode) => {
      const { run, connection, logins, sessions } = await endWith(folder, folder.credentials[0]!, showing(paths, body));
      expect(Object.values(run.outcomes).map((outcome) => outcome.errorCode)).toEqual(
        folder.scopes.map(() => errorCode),
      );
      const isOwners = SYNC_ERRORS[errorCode].movesToError;
      expect([run.status, connection.status]).toEqual(['failed', isOwners ? 'error' : 'pending']);
      expect(logins).toBe(isOwners ? 1 : LOGIN_LIMITS.loginsPerRunMax);
      expect(sessions).toBe(0);
    });

    test('the password has expired, instead of a session', { timeout: STAGE_TIMEOUT_MS }, async () => {
      const entry = folder.credentials.find(({ behaviour }) => behaviour === 'wrong_password')!;
      const { run, connection, logins } = await endWith(folder, entry, showing(login, EXPIRED));
      expect([run.errorCode, connection.status, logins]).toEqual(['source.password_expired', 'error', 1]);
    });
  },
);

test('bank two: each token is refused', { timeout: STAGE_TIMEOUT_MS }, async () => {
  const folder = folders.find(({ code }) => code === 'banktwo')!;
  const lie: Lie = (path) => (path.startsWith('/v1/') ? { status: 401, body: '{"code":"INVALID_TOKEN"}' } : undefined);
  const { run, logins } = await endWith(folder, folder.credentials[0]!, lie);
  expect([run.status, run.errorCode, logins]).toEqual(['failed', 'source.unavailable', LOGIN_LIMITS.loginsPerRunMax]);
});

test('bank two: tokens are renewed in each window of a slow pace, which are no logins', {
  timeout: STAGE_TIMEOUT_MS,
}, async () => {
  const folder = folders.find(({ code }) => code === 'banktwo')!;
  const entry = folder.credentials.find(({ behaviour }) => behaviour === 'short_token')!;
  // Four calls for each of five sessions, and a window that is longer than the life of a token.
  vi.stubEnv(sourcePaceVariable('banktwo'), `0,${4 * folder.manifest.sessionsPerLogin},20000`);
  try {
    const { run, logins } = await endWith(folder, entry, () => undefined);
    expect([run.status, run.login]).toMatchObject(['succeeded', { requests: 1 }]);
    expect(logins).toBeGreaterThan(LOGIN_LIMITS.loginsPerRunMax);
  } finally {
    vi.unstubAllEnvs();
  }
});

test('procurement: each page says that the session ended', { timeout: STAGE_TIMEOUT_MS }, async () => {
  const folder = folders.find(({ code }) => code === 'procurement')!;
  const lie: Lie = (path) =>
    path.endsWith('.aspx') ? { status: 200, body: page('<p>Sesion expirada</p>') } : undefined;
  const { run } = await endWith(folder, folder.credentials[0]!, lie);
  // The sandbox counts calls of the API, of which only those before the first data are logins.
  expect(run).toMatchObject({ status: 'partial', errorCode: 'source.unavailable', login: { requests: 2 } });
});
