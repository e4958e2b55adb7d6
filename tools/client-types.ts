/**
 * Writes TypeScript types of the API for its clients, which are the examples and the dashboard. git ignores the written
 * file; `npm run check` writes the file again when the API description changed.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const DESCRIPTION = 'docs/openapi.json';
export const CLIENT_TYPES = 'docs/examples/api-types.gen.ts';

interface TypesGenerator {
  default(description: unknown): Promise<unknown>;
  astToString(ast: unknown): string;
}

/**
 * The generator of the types needs another major version of TypeScript than our own code, so the examples are a
 * separate workspace with this package.json.
 */
const EXAMPLE = join(ROOT, 'docs/examples/package.json');

/**
 * Returns the first line of the file, which contains a hash of the inputs. If the hash is unchanged, the generator,
 * which takes a second, does not run.
 */
const headerOf = (description: string): string => {
  const inputs = createHash('sha256').update(description).update(readFileSync(EXAMPLE)).digest('hex');
  return `// Generated from ${DESCRIPTION} (${inputs}) by \`npm run check\`; do not edit.\n`;
};

/**
 * Returns the text of the file.
 * @param description text of the OpenAPI description
 */
const clientTypes = async (description: string): Promise<string> => {
  const { default: generate, astToString } = createRequire(EXAMPLE)('openapi-typescript') as TypesGenerator;
  return `${headerOf(description)}${astToString(await generate(JSON.parse(description)))}`;
};

/**
 * Writes the file if it is missing or was generated from another description. Resolves to true if the file was written.
 */
export const writeClientTypes = async (path = join(ROOT, CLIENT_TYPES)): Promise<boolean> => {
  const description = readFileSync(join(ROOT, DESCRIPTION), 'utf8');
  if (existsSync(path) && readFileSync(path, 'utf8').startsWith(headerOf(description))) return false;
  writeFileSync(path, await clientTypes(description));
  return true;
};

if (import.meta.main) await writeClientTypes();
