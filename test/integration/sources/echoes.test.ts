/**
 * Institutions that repeat the whole request in every kind of answer: afterwards no credential, cookie or session token
 * is in the table, objects, log or answers of the service, in any of the forms that an echo may have.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SandboxCredential } from '#shared/sources/sandbox-kit/credential.ts';
import { canaryForms, ECHO_KINDS, type EchoSwitch, echoing, unpackedTexts } from '#test/fakes/echoing-institution.ts';
import { sampled } from '#test/helpers/effort.ts';
import { captureLog } from '#test/helpers/log-lines.ts';
import { loadSources, type SourceFolder } from '#test/helpers/source-folders.ts';
import { type Story, startStory } from '#test/helpers/source-story.ts';
import { readerOf } from '#test/helpers/source-totals.ts';
import { type SourceWorld, startSourceWorld } from '#test/helpers/source-world.ts';
import { passwordsOf, STAGE_TIMEOUT_MS, tokensOf, works } from './stage.ts';

const folders = await loadSources();
let world: SourceWorld;
beforeAll(async () => {
  world = await startSourceWorld(folders, { table: 'quick' });
});
afterAll(() => world.stop());

/** Contains characters that each encoding writes differently. */
const newCanary = (): string => `Cañ4ry"&<+/%>'\\ ${randomBytes(9).toString('hex')}`;

/** The first credential that works, with its secret replaced by the canary. */
const canaryEntry = (folder: SourceFolder, canary: string): { entry: SandboxCredential; known: string } => {
  const entry = folder.credentials.find(works)!;
  const [known] = passwordsOf({ folder, entry } as Story);
  const credentials = Object.fromEntries(
    Object.entries(entry.credentials).map(([name, value]) => [name, value === known ? canary : value]),
  );
  return { entry: { ...entry, credentials }, known: known! };
};

const CASES = folders.flatMap((folder) =>
  ECHO_KINDS.flatMap((kind) =>
    (kind === 'good' || kind === 'refused' ? ['from the login on'] : ['from the login on', 'after the login']).map(
      (since) => [folder.code, kind, since, folder] as const,
    ),
  ),
);

describe.each(sampled(CASES, 14))('%s, %s %s', (_code, kind, since, folder) => {
  test('keeps no secret', { timeout: STAGE_TIMEOUT_MS }, async () => {
    const canary = newCanary();
    const { entry, known } = canaryEntry(folder, canary);
    const echo: EchoSwitch = { kind, isOn: since === 'from the login on', echoes: 0 };
    const story = await startStory(echoing(folder, { canary, known, echo }), entry);
    const { connect } = story.adapter;
    story.adapter.connect = async (request, io) => {
      const session = await connect(request, io);
      echo.isOn = true;
      return session;
    };
    const log = captureLog();
    const before = new Set(world.objects.keys());
    try {
      const connection = await world.connect(story);
      const input = folder.scopes.some(({ periodic }) => periodic) ? { periods: ['2026-10'] } : {};
      const run = await world.start(connection, input);
      await world.drain();
      const ended = await world.look(run);
      const reader = await readerOf(connection);
      const rows = await Promise.all(
        folder.scopes.map(async (scope) => reader.inFull(scope, await reader.rows(scope))),
      );
      const objects = [...world.objects].filter(([key]) => !before.has(key)).map(([, bytes]) => bytes);
      const places: Record<string, string[]> = {
        table: [await world.tableText()],
        objects: objects.flatMap(unpackedTexts),
        log: [log.text()],
        answers: [JSON.stringify([ended, rows])],
      };
      // A search that does not find known content proves nothing.
      expect(echo.echoes).toBeGreaterThan(0);
      expect(places.table![0]).toContain(connection.id);
      if (kind === 'good') {
        const errors = Object.values(ended.run.outcomes).map(({ scope, errorMessage }) => [scope, errorMessage]);
        expect(Object.fromEntries(errors)).toEqual(Object.fromEntries(folder.scopes.map(({ name }) => [name, null])));
        expect(objects.length).toBeGreaterThan(0);
        // Files of accounts are neither JSON nor a page: their good answers are unchanged.
        if (folder.code !== 'bankthree') expect(places.objects!.join('')).toContain('eco');
      }
      const found = [...passwordsOf(story), ...tokensOf(story)].flatMap((secret) =>
        Object.entries(places).flatMap(([place, texts]) =>
          canaryForms(secret).some((form) => texts.some((text) => text.includes(form)))
            ? [`${place}: ${secret === canary ? 'credential' : 'session'}`]
            : [],
        ),
      );
      expect([...new Set(found)]).toEqual([]);
    } finally {
      await story.close();
    }
  });
});
