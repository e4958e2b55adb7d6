/** Places where a secret must never be in clear text: logs of functions, answers of the API, the file of the table. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SANDBOX_CREDENTIALS } from '#shared/sources/tax/sandbox/credentials.ts';
import { newToken } from '#shared/sources/tax/sandbox/session-token.ts';
import type { Integrator } from './e2e-integrator.ts';

const TOKENS_PER_LOGIN = 50;
/** Six bytes are eight characters of base64. */
const BEGINNING = /^[\w-]{6}/;

/** The sandbox counts the sessions of a login: these are the tokens that it has issued, and some more. */
const sessionTokens = (): string[] =>
  SANDBOX_CREDENTIALS.flatMap(({ credentials: { rut } }) =>
    Array.from({ length: TOKENS_PER_LOGIN }, (_, n) => newToken(rut, n + 1)),
  );

const forms = (secret: string): Buffer[] => {
  const bytes = Buffer.from(secret);
  // Base64 at another offset of a longer text would look different. Only whole values are searched, because a careless
  // line would write those.
  return [...new Set([secret, encodeURIComponent(secret), bytes.toString('base64'), bytes.toString('hex')])].map(
    (form) => Buffer.from(form),
  );
};

const read = (folder: string, pattern: string): [string, Buffer][] =>
  globSync(pattern, { cwd: folder }).map((name) => [name, readFileSync(join(folder, name))]);

/** Secret → its kind. */
type Secrets = ReadonlyMap<string, string>;

const secretsOf = ({ file }: Integrator, more: Iterable<string>): Secrets =>
  new Map([
    ...SANDBOX_CREDENTIALS.map(({ credentials }): [string, string] => [credentials.password, 'password']),
    ...sessionTokens().map((token): [string, string] => [token, 'session of the institution']),
    [file.api_key, 'API key'],
    [file.session, 'session'],
    [file.access_token, 'access token'],
    ...[...more].map((secret): [string, string] => [secret, 'secret']),
  ]);

type Place = readonly [name: string, bytes: Buffer];

const holds = (bytes: Buffer, text: string): boolean => forms(text).some((form) => bytes.includes(form));

/** All tokens of a login begin alike, as all sessions do: a place without the beginning contains no such token. */
const foundIn = (places: readonly Place[], secrets: Secrets): string[] => {
  const alike = Map.groupBy(secrets, ([secret]) => BEGINNING.exec(secret)?.[0] ?? secret);
  const found = [...alike].flatMap(([beginning, each]) =>
    places
      .filter(([, bytes]) => holds(bytes, beginning))
      .flatMap(([place, bytes]) =>
        each.filter(([secret]) => holds(bytes, secret)).map(([, kind]) => `${place}: ${kind}`),
      ),
  );
  return [...new Set(found)];
};

/** Searches only the answers of the API: for a stack whose disk is elsewhere, or that keeps running. */
export const betrayedBy = (api: Integrator, more: Iterable<string>): string[] => {
  if (api.answers.length === 0) throw new Error('there are no answers to search');
  return foundIn([['an answer', Buffer.from(api.answers.join('\n'))]], secretsOf(api, more));
};

const onDisk = (dataFolder: string, organizationId: string, secrets: Secrets): string[] => {
  const logs = read(dataFolder, 'logs/*');
  // Files of the chosen table engine.
  const table = [...read(dataFolder, 'dynamodb/table.sqlite*'), ...read(dataFolder, 'dynamodb/table.emulator.state/*')];
  // A search that does not find known content proves nothing.
  const known = Buffer.from(organizationId);
  for (const [name, files] of Object.entries({ table, logs }))
    if (!files.some(([, bytes]) => bytes.includes(known))) throw new Error(`the ${name} cannot be searched`);
  return foundIn([...logs, ...table], secrets);
};

/** One line per place and kind of secret; empty if no secret leaked. Throws if a leak could not have been seen. */
export const betrayed = (dataFolder: string, api: Integrator, more: Iterable<string>): string[] => [
  ...onDisk(dataFolder, api.file.organization_id, secretsOf(api, more)),
  ...betrayedBy(api, more),
];

/** Saves the secrets of one file for the end of a stack that files share. */
export const leaveSecrets = (dataFolder: string, api: Integrator, more: Iterable<string>): void =>
  writeFileSync(
    join(dataFolder, `secrets-${api.file.organization_id}.${process.hrtime.bigint()}.json`),
    JSON.stringify([...secretsOf(api, more)]),
  );

/** Like `betrayed`, for a stack that files shared: with the secrets of all of them. */
export const betrayedOfAll = (dataFolder: string, api: Integrator): string[] => {
  const left = read(dataFolder, 'secrets-*.json').flatMap(([, text]) => JSON.parse(String(text)) as [string, string][]);
  return onDisk(dataFolder, api.file.organization_id, new Map([...secretsOf(api, []), ...left]));
};
