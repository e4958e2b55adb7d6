/**
 * The client generators that API users choose. Each generator has the commands that generate a client, compile it and
 * run the story with it.
 */
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { runProgram } from './run-program.ts';

const ROOT = join(import.meta.dirname, '../..');
const DESCRIPTION = join(ROOT, 'docs/openapi.json');
const STORIES = join(ROOT, 'docs/examples/clients');

export interface Command {
  program: string;
  args: string[];
}

export interface ClientGenerator {
  name: string;
  /** Generates and compiles the client and its story. Throws `CannotHave` when a program or a registry is missing. */
  make(folder: string, tools: Tools): Promise<void>;
  /** Returns the names of the operations in a generated client, in the spelling of its language. */
  operationsIn(folder: string): string[];
  /**
   * Returns the command that runs the story. In this command the program `python` means the Python of the environment
   * that `Tools.python` creates.
   */
  story(folder: string): Command;
}

export interface Tools {
  /** Resolves with the folder of the Python programs. */
  python(): Promise<string>;
  /** Resolves with the path of OpenAPI Generator's jar. */
  jar(): Promise<string>;
  /** Resolves with the folder whose `node_modules` has the packages of the TypeScript generators. */
  npm(): Promise<string>;
  /** Resolves with the path of oapi-codegen. */
  oapiCodegen(): Promise<string>;
}

const copyStory = (name: string, to: string): void => cpSync(join(STORIES, name), to);

/** Returns, without duplicates, the texts that the pattern's first group matches in the files. */
const namesIn = (folder: string, files: string, pattern: RegExp): string[] => {
  const texts = globSync(files, { cwd: folder }).map((path) => readFileSync(join(folder, path), 'utf8'));
  return [...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map((found) => found[1]!)))];
};

const TYPESCRIPT_OPTIONS = {
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  types: ['node'],
  strict: true,
  skipLibCheck: false,
  noEmit: true,
  allowImportingTsExtensions: true,
};

/** Type-checks the story with the client, and bundles both into one file. */
const compileTypeScript = async (folder: string, packages: string): Promise<void> => {
  const options = { ...TYPESCRIPT_OPTIONS, typeRoots: [join(packages, 'node_modules/@types')] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['story.mts'] }));
  await runProgram({
    program: process.execPath,
    args: [join(packages, 'node_modules/typescript/bin/tsc'), '-p', folder],
  });
  await build({
    entryPoints: [join(folder, 'story.mts')],
    outfile: join(folder, 'story.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    logLevel: 'error',
  });
};

const runStory = (folder: string): Command => ({ program: process.execPath, args: [join(folder, 'story.mjs')] });

/**
 * Copies package.json into the client's folder, and returns the folder of the packages. The client finds the packages
 * because its folder is below that folder.
 */
const inPackages = async (folder: string, tools: Tools): Promise<string> => {
  const packages = await tools.npm();
  cpSync(join(packages, 'package.json'), join(folder, 'package.json'));
  return packages;
};

const openapiTypescript: ClientGenerator = {
  name: 'openapi-typescript',
  async make(folder, tools) {
    const packages = await inPackages(folder, tools);
    const bin = join(packages, 'node_modules/openapi-typescript/bin/cli.js');
    const generate = [bin, DESCRIPTION, '--output', join(folder, 'generated.ts')];
    await runProgram({ program: process.execPath, args: generate });
    copyStory('openapi-fetch.mts', join(folder, 'story.mts'));
    await compileTypeScript(folder, packages);
  },
  operationsIn: (folder) => {
    const text = readFileSync(join(folder, 'generated.ts'), 'utf8');
    const operations = text.slice(text.indexOf('export interface operations'));
    return [...operations.matchAll(/^ {4}(\w+): \{$/gm)].map((found) => found[1]!);
  },
  story: runStory,
};

const heyApi: ClientGenerator = {
  name: '@hey-api/openapi-ts',
  async make(folder, tools) {
    const packages = await inPackages(folder, tools);
    const bin = join(packages, 'node_modules/@hey-api/openapi-ts/bin/run.js');
    const generate = [
      bin,
      '-i',
      DESCRIPTION,
      '-o',
      join(folder, 'generated'),
      '-c',
      '@hey-api/client-fetch',
      '--silent',
    ];
    await runProgram({ program: process.execPath, args: generate });
    copyStory('hey-api.mts', join(folder, 'story.mts'));
    await compileTypeScript(folder, packages);
  },
  operationsIn: (folder) => namesIn(folder, 'generated/sdk.gen.ts', /^export const (\w+) = </gm),
  story: runStory,
};

const PYTHON_ARGS = ['-W', 'error::SyntaxWarning'];

const openapiPythonClient: ClientGenerator = {
  name: 'openapi-python-client',
  async make(folder, tools) {
    const programs = await tools.python();
    mkdirSync(join(folder, 'story'), { recursive: true });
    const to = join(folder, 'story/data_connections_api_client');
    const args = ['generate', '--path', DESCRIPTION, '--output-path', to, '--meta', 'none', '--fail-on-warning'];
    await runProgram({ program: join(programs, 'openapi-python-client'), args, path: programs });
    copyStory('openapi_python_client.py', join(folder, 'story/story.py'));
    await runProgram({
      program: join(programs, 'python'),
      args: [...PYTHON_ARGS, '-m', 'compileall', '-q', join(folder, 'story')],
    });
  },
  operationsIn: (folder) =>
    globSync('story/data_connections_api_client/api/*/[!_]*.py', { cwd: folder }).map((path) =>
      path.split('/').at(-1)!.replace(/\.py$/, ''),
    ),
  story: (folder) => ({ program: 'python', args: [join(folder, 'story/story.py')] }),
};

const oapiCodegen: ClientGenerator = {
  name: 'oapi-codegen',
  async make(folder, tools) {
    const program = await tools.oapiCodegen();
    mkdirSync(join(folder, 'client'), { recursive: true });
    const file = join(folder, 'client/client.go');
    await runProgram({ program, args: ['-package', 'client', '-generate', 'types,client', '-o', file, DESCRIPTION] });
    copyStory('oapi_codegen.go', join(folder, 'main.go'));
    cpSync(join(import.meta.dirname, 'go.mod.txt'), join(folder, 'go.mod'));
    await runProgram({ program: 'go', args: ['mod', 'tidy'], cwd: folder });
    await runProgram({ program: 'go', args: ['build', '-o', 'story', '.'], cwd: folder });
  },
  operationsIn: (folder) =>
    namesIn(folder, 'client/client.go', /^func \(c \*ClientWithResponses\) (\w+)WithResponse\(/gm).map((name) =>
      name.replace(/WithBody$/, ''),
    ),
  story: (folder) => ({ program: join(folder, 'story'), args: [] }),
};

const generateByJar = async (folder: string, jar: string, language: string, options: string[]): Promise<void> => {
  const args = ['-jar', jar, 'generate', '-g', language, '-i', DESCRIPTION, '-o', folder, ...options];
  await runProgram({ program: 'java', args });
};

const openapiGeneratorJava: ClientGenerator = {
  name: 'OpenAPI Generator, Java',
  async make(folder, tools) {
    const options = [
      '--library',
      'native',
      '--additional-properties=hideGenerationTimestamp=true,openApiNullable=false',
    ];
    await generateByJar(folder, await tools.jar(), 'java', options);
    copyStory('OpenapiGenerator.java', join(folder, 'src/main/java/OpenapiGenerator.java'));
    const goals = ['compile', 'dependency:copy-dependencies', '-DincludeScope=runtime'];
    await runProgram({ program: 'mvn', args: ['-q', '-B', '-ntp', '-DskipTests', ...goals], cwd: folder });
  },
  operationsIn: (folder) =>
    namesIn(folder, 'src/main/java/org/openapitools/client/api/*.java', /public ApiResponse<.*> (\w+)WithHttpInfo\(/g),
  story: (folder) => ({
    program: 'java',
    args: ['-cp', `${join(folder, 'target/classes')}:${join(folder, 'target/dependency/*')}`, 'OpenapiGenerator'],
  }),
};

const openapiGeneratorPython: ClientGenerator = {
  name: 'OpenAPI Generator, Python',
  async make(folder, tools) {
    const programs = await tools.python();
    await generateByJar(folder, await tools.jar(), 'python', ['--additional-properties=packageName=connections']);
    copyStory('openapi_generator.py', join(folder, 'story.py'));
    await runProgram({
      program: join(programs, 'python'),
      args: [...PYTHON_ARGS, '-m', 'compileall', '-q', join(folder, 'connections')],
    });
  },
  operationsIn: (folder) => namesIn(folder, 'connections/api/*_api.py', /def (\w+)_with_http_info\(/g),
  story: (folder) => ({ program: 'python', args: [join(folder, 'story.py')] }),
};

export const GENERATORS: readonly ClientGenerator[] = [
  openapiTypescript,
  heyApi,
  openapiPythonClient,
  oapiCodegen,
  openapiGeneratorJava,
  openapiGeneratorPython,
];
