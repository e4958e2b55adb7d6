/** Generates TypeScript client types from the API description, with the generator of the example's package. */
import { createRequire } from 'node:module';
import { join } from 'node:path';

export const CLIENT_TYPES = 'docs/examples/api-types.gen.ts';

interface Generator {
  default(description: unknown): Promise<unknown>;
  astToString(ast: unknown): string;
}

/**
 * The generator needs another major version of TypeScript than ours, which is why the example is a separate workspace.
 */
const EXAMPLE = join(import.meta.dirname, '../docs/examples/package.json');

/** @param description text of the OpenAPI description */
export const clientTypes = async (description: string): Promise<string> => {
  const { default: generate, astToString } = createRequire(EXAMPLE)('openapi-typescript') as Generator;
  const types = astToString(await generate(JSON.parse(description)));
  return `// Generated from docs/openapi.json by \`npm run gen\`; do not edit.\n${types}`;
};
