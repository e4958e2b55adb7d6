/** Where a secret must never lie in clear: logs of functions, answers of the API, the file of the table. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SANDBOX_CREDENTIALS } from '#shared/sources/tax/sandbox/credentials.ts';
import { newToken } from '#shared/sources/tax/sandbox/session-token.ts';
import type { Integrator } from './e2e-integrator.ts';

const TOKENS_PER_LOGIN = 10;

/** The sandbox counts the sessions of a login: these are the tokens that it has given, and some more. */
const sessionTokens = (): string[] =>
  SANDBOX_CREDENTIALS.flatMap(({ credentials: { rut } }) =>
    Array.from({ length: TOKENS_PER_LOGIN }, (_, n) => newToken(rut, n + 1)),
  );

const forms = (secret: string): Buffer[] => {
  const bytes = Buffer.from(secret);
  // Base64 of it at any offset of a longer text would differ: whole values are what a careless line would write.
  return [...new Set([secret, encodeURIComponent(secret), bytes.toString('base64'), bytes.toString('hex')])].map(
    (form) => Buffer.from(form),
  );
};

const read = (folder: string, pattern: string): [string, Buffer][] =>
  globSync(pattern, { cwd: folder }).map((name) => [name, readFileSync(join(folder, name))]);

const secretsOf = ({ file }: Integrator, more: Iterable<string>): [string, string][] => [
  ...SANDBOX_CREDENTIALS.map(({ credentials }): [string, string] => ['password', credentials.password]),
  ...sessionTokens().map((token): [string, string] => ['session of the institution', token]),
  ['API key', file.api_key],
  ['session', file.session],
  ['access token', file.access_token],
  ...[...more].map((secret): [string, string] => ['secret', secret]),
];

type Place = readonly [name: string, bytes: Buffer];

const foundIn = (places: readonly Place[], secrets: [string, string][]): string[] => {
  const found = secrets.flatMap(([kind, secret]) =>
    places.flatMap(([place, bytes]) =>
      forms(secret).some((form) => bytes.includes(form)) ? [`${place}: ${kind}`] : [],
    ),
  );
  return [...new Set(found)];
};

const answersOf = ({ answers }: Integrator): Place => {
  if (answers.length === 0) throw new Error('there are no answers to search');
  return ['an answer', Buffer.from(answers.join('\n'))];
};

/** In the answers of the API alone: of a stack whose disk is not ours. */
export const betrayedBy = (api: Integrator, more: Iterable<string>): string[] =>
  foundIn([answersOf(api)], secretsOf(api, more));

/** One line per place and kind of secret; none is what everybody wants to see. Throws when it could not have seen one. */
export const betrayed = (dataFolder: string, api: Integrator, more: Iterable<string>): string[] => {
  const logs = read(dataFolder, 'logs/*');
  const table = read(dataFolder, 'dynamodb/table.sqlite*');
  // A search that does not find what surely is there proves nothing.
  const known = Buffer.from(api.file.organization_id);
  for (const [name, files] of Object.entries({ table, logs }))
    if (!files.some(([, bytes]) => bytes.includes(known))) throw new Error(`the ${name} cannot be searched`);
  return foundIn([...logs, ...table, answersOf(api)], secretsOf(api, more));
};
