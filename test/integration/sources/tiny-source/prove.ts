/**
 * Runs in a copy of the repository with the tiny source in it: prints what follows from its folder, as one line of
 * JSON.
 */
import { join } from 'node:path';
import { bundle } from '#infra/bundle.ts';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import { FUNCTIONS } from '#infra/manifest.ts';
import { findManifest } from '#shared/sources/find-manifest.ts';
import { callersOf } from '#test/helpers/callers.ts';
import { handlerOf } from '#test/helpers/handlers.ts';
import { call } from '#test/helpers/http.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';
import { loadSource } from '#test/helpers/source-folders.ts';
import { startStory } from '#test/helpers/source-story.ts';
import { besideLedger, readerOf } from '#test/helpers/source-totals.ts';
import { startSourceWorld } from '#test/helpers/source-world.ts';

const ORGANIZATION = '22222222-2222-4222-8222-222222222222';
const folder = await loadSource(join(process.cwd(), 'shared/sources/tinybank'));
const world = await startSourceWorld([folder], { table: 'quick' });

/** Through the endpoints, as a person in the dashboard does. */
const listAndConnect = async () => {
  useSharedSecretIssuer();
  const { session } = await callersOf(ORGANIZATION);
  const endpoint = async (id: string, request: object) => {
    const contract = ENDPOINTS.find((each) => each.id === id);
    if (!contract) throw new Error(`no endpoint ${id}`);
    return call(contract, await handlerOf(id), { ...session, ...request });
  };
  const { body } = await endpoint('list-external-sources', {});
  const [works] = folder.credentials;
  const connection = {
    external_source_code: 'tinybank',
    name: 'Tiny',
    enabled_scopes: ['movements'],
    credentials: works!.credentials,
    metadata: {},
  };
  const created = await endpoint('create-connection', { body: connection });
  const refused = await endpoint('create-connection', { body: { ...connection, credentials: {} } });
  const listed = (body.data as { code: string; supported_scopes: string[] }[]).find(({ code }) => code === 'tinybank');
  return { listed: listed?.supported_scopes, created: created.status, refused: refused.status };
};

const synchronize = async (entry: (typeof folder.credentials)[number]) => {
  const story = await startStory(folder, entry);
  const run = await world.start(await world.connect(story));
  await world.drain();
  const { run: ended, connection } = await world.look(run);
  const [scope] = folder.scopes;
  const rows = await (await readerOf(connection)).rows(scope!);
  const books = [...besideLedger(scope!, rows, await story.ledger())];
  const told = { status: ended.status, errorCode: ended.errorCode, ...(await story.logins()), books };
  await story.close();
  return told;
};

const own = FUNCTIONS.filter(({ functionId }) => functionId.includes('tinybank'));
const { meta } = await bundle(own);
const proof = {
  manifest: findManifest('tinybank')?.name,
  functions: own.map(({ functionId }) => functionId).sort(),
  bundled: Object.keys(meta.functions).sort(),
  api: await listAndConnect(),
  works: await synchronize(folder.credentials[0]!),
  refused: await synchronize(folder.credentials[1]!),
};
await world.stop();
process.stdout.write(`PROOF ${JSON.stringify(proof)}\n`);
