/**
 * Reads the credentials of a visit: from standard input as one JSON object, or asked on the terminal without an echo of
 * secrets. They are never taken from arguments, the environment or a file.
 */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { JsonObject, SourceManifest } from '#shared/sources/source.ts';
import { hiddenCredentials } from '#shared/values/credential-fields.ts';

export interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream;
}

/**
 * Nothing that is typed is echoed, because pasted lines arrive before the next field is asked for. A visible answer is
 * printed once it is complete.
 */
const askAll = async (manifest: SourceManifest, { input, output }: Terminal): Promise<JsonObject> => {
  const fields = Object.keys(manifest.credentialsSchema.shape);
  const anyValue = Object.fromEntries(fields.map((field) => [field, 'any']));
  const hidden = new Set(hiddenCredentials(manifest.credentialsSchema, anyValue, {}).flatMap(({ names }) => names));
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: true, historySize: 0 });
  const typed = lines[Symbol.asyncIterator]();
  const answers: JsonObject = {};
  try {
    for (const field of fields) {
      const isOptional = manifest.credentialsSchema.shape[field]?.safeParse(undefined).success ?? false;
      output.write(`${field}${isOptional ? ' (may be empty)' : ''}: `);
      const answer = String((await typed.next()).value ?? '').trim();
      output.write(hidden.has(field) ? '\n' : `${answer}\n`);
      if (answer !== '') answers[field] = answer;
    }
  } finally {
    lines.close();
  }
  return answers;
};

/** The credentials do not fit the schema of the source. The message names fields and no values. */
export class WrongCredentials extends Error {}

/** @throws WrongCredentials */
export const readCredentials = async (manifest: SourceManifest, terminal: Terminal): Promise<JsonObject> => {
  let given: unknown;
  try {
    given = terminal.input.isTTY ? await askAll(manifest, terminal) : JSON.parse(await text(terminal.input));
  } catch {
    throw new WrongCredentials('standard input is not one JSON object with the credentials');
  }
  const parsed = manifest.credentialsSchema.safeParse(given);
  if (parsed.success) return parsed.data as JsonObject;
  const fields = parsed.error.issues.map(({ path, code }) => `${path.join('.') || 'the object'}: ${code}`);
  throw new WrongCredentials(`the credentials do not fit the source: ${fields.join(', ')}`);
};
