/**
 * Every login of every simulated institution through a link: the customer reads that the institution accepted it, or
 * why not, and the page has words for it. No hidden credential appears in an answer, in the table, in a stored object or in the
 * log.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SandboxCredential } from '#shared/sources/sandbox-kit/credential.ts';
import { secretsIn } from '#shared/values/credential-fields.ts';
import { SYNC_ERRORS, type SyncErrorCode } from '#shared/values/sync-errors.ts';
import { sampled } from '#test/helpers/effort.ts';
import { linkApi, linkPage } from '#test/helpers/link-api.ts';
import { captureLog } from '#test/helpers/log-lines.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';
import { loadSources, type SourceFolder } from '#test/helpers/source-folders.ts';
import { startStory } from '#test/helpers/source-story.ts';
import { type SourceWorld, startSourceWorld } from '#test/helpers/source-world.ts';
import { connectTexts } from '../../../dashboard/src/connect/texts.ts';

const folders = await loadSources();
let world: SourceWorld;
const logged: string[] = [];
const tokens: string[] = [];
beforeAll(async () => {
  useSharedSecretIssuer();
  world = await startSourceWorld(folders, { table: 'quick', startsAt: '2026-11-21T04:00:00.000Z' });
});
afterAll(() => world.stop());

/** A connection without a tender: its sync ends well and asks the institution nothing. */
const isNothingAsked = ({ code }: SourceFolder, { behaviour }: SandboxCredential): boolean =>
  code === 'procurement' && behaviour === 'empty';

/** Values of the fields that a form hides. */
const hiddenOf = ({ manifest }: SourceFolder, { credentials }: SandboxCredential): string[] =>
  secretsIn(manifest.credentialsSchema, manifest.credentialsSchema.parse(credentials));

/** The one scope that a link of this test asks for: its first, so that a test is short. */
const scopeOf = ({ manifest }: SourceFolder): string => manifest.scopes[0]!;

const outcomeOf = (folder: SourceFolder, { outcomes }: SandboxCredential): SyncErrorCode | undefined =>
  outcomes[scopeOf(folder)] ?? outcomes['*'];

const isOwners = (code: SyncErrorCode): boolean => SYNC_ERRORS[code].responsible === 'owner';

/** Words of the page: of the code itself, or of who must act. */
const hasWords = (code: string): boolean =>
  [connectTexts.es, connectTexts.en].every((texts) => code in texts || !isOwners(code as SyncErrorCode));

const TIMEOUT_MS = 120_000;

describe.each(folders.map((folder) => [folder.code, folder] as const))('%s', (_code, folder) => {
  const entries = sampled(
    folder.credentials.filter(({ behaviour }) => behaviour !== 'large'),
    20,
  );
  test.each(entries.map((entry) => [entry.label, entry] as const))(
    '%s',
    async (_label, entry) => {
      const organizationId = randomUUID();
      const story = await startStory(folder, entry);
      const log = captureLog();
      try {
        world.answerFor(organizationId, story);
        const api = await linkApi(organizationId);
        const link = await api.make({
          external_source_code: folder.code,
          enabled_scopes: [scopeOf(folder)],
          metadata: entry.metadata,
        });
        tokens.push(link.token);
        const page = linkPage();
        const answers = [await page.open(link.token), await page.submit(entry.credentials)];
        expect(answers.map(({ status }) => status)).toEqual([200, 202]);
        await world.drain();
        // A sync may take longer than a session lives.
        await page.open(link.token);
        const listed = await (await linkApi(organizationId)).list();
        const [{ status }] = listed.body.data;
        const shown = await page.show();
        const code = outcomeOf(folder, entry);
        const { state, error_code } = shown.body.data;
        if (code === undefined)
          expect([state, status]).toEqual(isNothingAsked(folder, entry) ? ['stored', 'open'] : ['accepted', 'used']);
        else if (isOwners(code))
          expect([state, error_code, hasWords(code), status]).toEqual(['refused', code, true, 'open']);
        // The institution may have accepted the login before it, or the service, failed.
        else if (state === 'accepted') expect(status).toBe('used');
        else expect([state, error_code, status]).toEqual(['unavailable', code, 'open']);
        for (const secret of hiddenOf(folder, entry))
          for (const { text } of [...answers, listed, shown]) expect(text).not.toContain(secret);
      } finally {
        logged.push(log.text());
        await story.close();
      }
    },
    TIMEOUT_MS,
  );

  test('no hidden credential and no token is in the table, in a stored object or in the log', async () => {
    const objects = [...world.objects.values()].map((bytes) => bytes.toString('latin1'));
    const stored = [await world.tableText(), ...logged, ...objects];
    expect(logged.every((text) => text.includes('"level":"INFO"'))).toBe(true);
    for (const secret of [...tokens, ...entries.flatMap((entry) => hiddenOf(folder, entry))])
      expect(stored.filter((text) => text.includes(secret))).toEqual([]);
  });
});
