/** Downloads the pinned generators from their registries into `.venv-clients`, where later runs find them. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installed } from '#tools/python/venv.ts';
import type { Tools } from './generators.ts';
import { CannotHave, runProgram } from './run-program.ts';

const ROOT = join(import.meta.dirname, '../..');
const HOME = join(ROOT, '.venv-clients');

const NPM = {
  '@hey-api/openapi-ts': '0.99.0',
  '@types/node': '24.19.2',
  'openapi-fetch': '0.17.0',
  'openapi-typescript': '7.13.0',
  typescript: '5.9.3',
};
const OAPI_CODEGEN = '2.8.2';
const JAR = '7.25.0';
const JAR_SHA256 = '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae';

const npm = async (): Promise<string> => {
  const folder = join(HOME, 'npm');
  const wanted = JSON.stringify({ private: true, type: 'module', dependencies: NPM });
  const held = join(folder, 'held.json');
  if (existsSync(held) && readFileSync(held, 'utf8') === wanted) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), wanted);
  try {
    await runProgram({ program: 'npm', args: ['install', '--no-audit', '--no-fund', '--loglevel=error'], cwd: folder });
  } catch (error) {
    throw new CannotHave(`the npm registry does not provide the package: ${(error as Error).message}`);
  }
  writeFileSync(held, wanted);
  return folder;
};

const python = async (): Promise<string> => {
  const { programs, reason } = await installed('.venv-clients/python', join(import.meta.dirname, 'requirements.txt'));
  if (programs === undefined) throw new CannotHave(reason);
  return programs;
};

/**
 * Resolves with the jar's path. Maven downloads the jar from the repository in Maven's settings. A jar that is
 * incomplete or not the pinned version is rejected.
 */
const jar = async (): Promise<string> => {
  const file = join(HOME, `openapi-generator-cli-${JAR}.jar`);
  if (!existsSync(file)) {
    const artifact = `org.openapitools:openapi-generator-cli:${JAR}`;
    const copy = ['-q', '-B', '-ntp', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${HOME}`];
    try {
      await runProgram({ program: 'mvn', args: copy });
    } catch (error) {
      if (error instanceof CannotHave) throw error;
      throw new CannotHave(`Maven does not provide the program: ${(error as Error).message}`);
    }
  }
  if (createHash('sha256').update(readFileSync(file)).digest('hex') !== JAR_SHA256)
    throw new Error(`${file} is not ours`);
  return file;
};

/**
 * Resolves with the path of a Go program. If the program is not built yet, downloads its source from Go's module proxy
 * and builds it.
 */
export const goProgram = async (module: string, version: string): Promise<string> => {
  const name = module.split('/').at(-1)!;
  const folder = join(HOME, 'go', `${name}-${version}`);
  const program = join(folder, name);
  if (existsSync(program)) return program;
  try {
    await runProgram({ program: 'go', args: ['install', `${module}@v${version}`], environment: { GOBIN: folder } });
  } catch (error) {
    if (error instanceof CannotHave) throw error;
    throw new CannotHave(`Go's module proxy does not provide the program: ${(error as Error).message}`);
  }
  return program;
};

export const TOOLS: Tools = {
  npm,
  python,
  jar,
  oapiCodegen: () => goProgram('github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen', OAPI_CODEGEN),
};
