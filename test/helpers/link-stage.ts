/** Connect links over their endpoints, with the real engine and the simulated tax authority. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Connection } from '#shared/connections/connection.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { type LinkApi, type LinkPage, linkApi, linkPage } from './link-api.ts';
import { useSharedSecretIssuer } from './sessions.ts';
import { loadSources, type SourceFolder } from './source-folders.ts';
import { type Story, startStory } from './source-story.ts';
import { type SourceWorld, startSourceWorld } from './source-world.ts';

export interface LinkStage {
  world: SourceWorld;
  folder: SourceFolder;
  /** A login that works, which the organization uses at first. */
  story: Story;
  /** A login that the institution refuses. */
  wrong: Story;
  /** A new one for each test. */
  organizationId: string;
  api: LinkApi;
}

/** A customer connects by a link, with the login of `story`. */
export const connectByLink = async (
  { api, world, organizationId }: LinkStage,
  story: Story,
): Promise<{ page: LinkPage; connection: Connection }> => {
  world.answerFor(organizationId, story);
  const link = await api.make();
  const page = linkPage();
  await page.open(link.token);
  await page.submit(story.entry.credentials);
  await world.drain();
  return { page, connection: (await connections.list(organizationId as OrganizationId))[0]! };
};

/** @param onTest called before each test */
export const useLinkStage = (onTest: (stage: LinkStage) => void): void => {
  let shared: Omit<LinkStage, 'organizationId' | 'api'>;

  beforeAll(async () => {
    useSharedSecretIssuer();
    const folders = await loadSources(['tax']);
    const folder = folders[0]!;
    const world = await startSourceWorld(folders, { table: 'quick' });
    const story = await startStory(folder, folder.credentials.find(({ label }) => label === 'empty company')!);
    const refused = folder.credentials.find(({ outcomes }) => outcomes['*'] === 'source.invalid_credentials')!;
    shared = { world, folder, story, wrong: await startStory(folder, refused) };
  });
  beforeEach(async () => {
    const organizationId = randomUUID();
    const api = await linkApi(organizationId);
    shared.world.answerFor(organizationId, shared.story);
    onTest({ ...shared, organizationId, api });
  });
  // A sync that a test left would hold the institution's only session of this login in the next test.
  afterEach(() => shared.world.drain());
  afterAll(async () => {
    await Promise.all([shared.story.close(), shared.wrong.close()]);
    await shared.world.stop();
  });
};
