/** Who may import whom (architecture.md §3). The first rule whose pattern fits a file is the file's. */
import { dirname } from 'node:path';
import type { CodeFile, Import } from './code-files.ts';

export interface Rule {
  name: string;
  files: RegExp;
  /** Files of ours it may import, besides those of its own rule; `$<x>` stands for the named group of `files`. */
  may: readonly string[];
  /** Only as types, which are gone before anything runs. */
  mayType?: readonly string[];
  /** Packages and modules of Node, in whole or up to a slash. */
  packages: readonly string[] | { not: readonly string[] };
}

const CLOUD = ['@aws-sdk', '@aws-crypto', '@aws-lambda-powertools', '@middy', '@smithy', 'aws-lambda', 'aws-cdk-lib'];
const INFRASTRUCTURE = ['aws-cdk-lib', 'constructs', 'esbuild', 'fauxqs', 'fastify'];
const DOMAIN = 'shared/domain/';
const SCOPES = 'shared/scopes/';
const SOURCE_INTERFACE = 'shared/sources/source.ts';
const SANDBOX_CREDENTIAL = 'shared/sources/sandbox-credential.ts';
const SANDBOX_RANDOM = 'shared/sources/sandbox-random.ts';
const SANDBOX_MEMORY = 'shared/sources/sandbox-memory.ts';
const SANDBOX_SERVER = 'shared/sources/sandbox-server.ts';
const SANDBOX_GATE = 'shared/sources/sandbox-gate.ts';
const SANDBOX_LIES = 'shared/sources/sandbox-lies.ts';

export const RULES: readonly Rule[] = [
  {
    name: 'domain: pure rules, no I/O',
    files: /^shared\/domain\//,
    may: [DOMAIN],
    packages: ['zod', 'temporal-polyfill', 'big.js', 'uuid', 'node:crypto'],
  },
  { name: 'scopes', files: /^shared\/scopes\//, may: [SCOPES, DOMAIN], packages: ['zod'] },
  {
    name: 'registry of manifests',
    files: /^shared\/sources\/manifests\.gen\.ts$/,
    may: ['shared/sources/'],
    packages: [],
  },
  {
    name: 'source interface',
    files: /^shared\/sources\/(?:source|sandbox-credential|sandbox-random|sandbox-memory)\.ts$/,
    may: [DOMAIN, SOURCE_INTERFACE],
    packages: ['zod'],
  },
  {
    name: 'what every sandbox is',
    files: /^shared\/sources\/sandbox-(?:gate|server)\.ts$/,
    may: [SANDBOX_MEMORY],
    packages: ['zod'],
  },
  {
    name: 'http client of the sources',
    files: /^shared\/sources\/http\//,
    may: ['shared/sources/http/', SOURCE_INTERFACE, DOMAIN],
    packages: { not: [...CLOUD, ...INFRASTRUCTURE] },
  },
  {
    name: 'what answers must add up to',
    files: /^shared\/sources\/truth\//,
    // Bytes are judged as they are decoded.
    may: ['shared/sources/truth/', 'shared/sources/http/charset.ts', SOURCE_INTERFACE, DOMAIN],
    packages: { not: [...CLOUD, ...INFRASTRUCTURE] },
  },
  {
    name: 'source manifest: pure data',
    files: /^shared\/sources\/(?<source>[^/]+)\/manifest\.ts$/,
    may: [SOURCE_INTERFACE, DOMAIN],
    packages: ['zod'],
  },
  {
    name: 'sandbox: the institution, a server of its own',
    files: /^shared\/sources\/(?<source>[^/]+)\/sandbox\//,
    may: [
      'shared/sources/$<source>/',
      SOURCE_INTERFACE,
      SANDBOX_CREDENTIAL,
      SANDBOX_RANDOM,
      SANDBOX_MEMORY,
      SANDBOX_SERVER,
      SANDBOX_GATE,
      SANDBOX_LIES,
      SCOPES,
      DOMAIN,
    ],
    packages: { not: [...CLOUD, 'aws-cdk-lib', 'fauxqs'] },
  },
  {
    name: 'source: knows no other source, no table, no AWS',
    files: /^shared\/sources\/(?<source>[^/]+)\//,
    may: [
      'shared/sources/$<source>/',
      SOURCE_INTERFACE,
      'shared/sources/http/',
      'shared/sources/truth/',
      SCOPES,
      DOMAIN,
    ],
    packages: { not: [...CLOUD, ...INFRASTRUCTURE] },
  },
  {
    name: 'platform',
    files: /^shared\/platform\//,
    may: ['shared/platform/'],
    mayType: ['shared/messaging/queues.ts'],
    packages: { not: ['@middy', ...INFRASTRUCTURE, 'aws-cdk-lib'] },
  },
  {
    name: 'data: the table',
    files: /^shared\/data\//,
    may: ['shared/data/', DOMAIN, SCOPES, 'shared/platform/'],
    mayType: [SOURCE_INTERFACE],
    packages: { not: ['@middy', ...INFRASTRUCTURE] },
  },
  {
    name: 'http and messaging: never functions, sources',
    files: /^shared\/(?<module>http|messaging)\//,
    may: ['shared/$<module>/', DOMAIN, SCOPES, 'shared/data/', 'shared/platform/'],
    mayType: [SOURCE_INTERFACE],
    packages: { not: INFRASTRUCTURE },
  },
  {
    name: 'any other module of shared: never functions or infra',
    files: /^shared\//,
    may: ['shared/'],
    packages: { not: INFRASTRUCTURE },
  },
  {
    name: 'contract: pure data, read without loading a handler',
    files: /^functions\/(?<group>api\/[^/]+|workers)\/[^/]+\/contract\.ts$/,
    // What those modules of http load in turn is judged too (imports.test.ts).
    may: [
      'shared/http/',
      'shared/messaging/contract.ts',
      'shared/messaging/queues.ts',
      'shared/platform/limits.ts',
      DOMAIN,
      SCOPES,
    ],
    mayType: ['shared/platform/needs.ts'],
    packages: ['zod'],
  },
  {
    name: 'the simulated institutions of a stage',
    files: /^functions\/sandbox\//,
    may: ['functions/sandbox/', 'shared/sources/', 'shared/data/', 'shared/platform/'],
    packages: { not: [...CLOUD.filter((name) => name !== 'aws-lambda'), ...INFRASTRUCTURE] },
  },
  {
    name: 'what puts the files of the dashboard in place',
    files: /^functions\/publish-dashboard\//,
    may: ['functions/publish-dashboard/', 'shared/data/', 'shared/platform/'],
    packages: { not: [...CLOUD.filter((name) => name !== 'aws-lambda'), ...INFRASTRUCTURE] },
  },
  {
    name: 'handler: its own contract and shared, never another function, infra or the SDK',
    files: /^functions\/(?<own>(?<resource>api\/[^/]+|workers)\/[^/]+)\//,
    may: ['functions/$<own>/', 'functions/$<resource>/.', 'shared/', 'source', 'docs/openapi.json'],
    packages: { not: [...CLOUD.filter((name) => name !== 'aws-lambda'), ...INFRASTRUCTURE] },
  },
  {
    name: 'what operations of one resource share: as a handler',
    files: /^functions\/(?<resource>api\/[^/]+|workers)\/[^/]+\.ts$/,
    may: ['functions/$<resource>/.', 'shared/'],
    packages: { not: [...CLOUD.filter((name) => name !== 'aws-lambda'), ...INFRASTRUCTURE] },
  },
  {
    name: 'local runner: never a handler, those it runs from their bundles',
    files: /^infra\/local\//,
    // The simulated institutions of all sources, which it runs itself.
    may: ['infra/', 'shared/', 'functions/sandbox/institutions.gen.ts'],
    packages: { not: [] },
  },
  {
    name: 'scripts of an operator: as the local runner',
    files: /^infra\/operations\//,
    may: ['infra/', 'shared/'],
    packages: { not: [] },
  },
  {
    name: 'infra: contracts, manifests and needs, never handlers, data or domain rules',
    files: /^infra\//,
    may: [
      'infra/',
      'functions/*/contract.ts',
      'shared/http/contract.ts',
      'shared/http/openapi/description.ts',
      'shared/messaging/contract.ts',
      'shared/messaging/queues.ts',
      'shared/platform/needs.ts',
      'shared/platform/limits.ts',
      'shared/platform/metric-catalogue.ts',
      'shared/platform/secret-resource.ts',
      SCOPES,
      'shared/sources/manifests.gen.ts',
      SOURCE_INTERFACE,
      SANDBOX_CREDENTIAL,
    ],
    // What the dashboard is told of each scope is generated.
    mayType: ['dashboard/src/data/resource.ts'],
    packages: { not: ['@aws-sdk', '@middy'] },
  },
  {
    name: 'dashboard: types of contracts, nothing that runs',
    files: /^dashboard\//,
    may: ['dashboard/'],
    // The description's types are made of the contracts.
    mayType: ['functions/*/contract.ts', 'docs/examples/api-types.gen.ts'],
    packages: { not: [...CLOUD, ...INFRASTRUCTURE] },
  },
  { name: 'tests may import anything', files: /^test\//, may: [''], packages: { not: [] } },
];

export const ruleOf = (path: string): Rule | undefined => RULES.find(({ files }) => files.test(path));

/** `a/` a folder, `a/.` the files right in it, `a/*\/b.ts` that file anywhere below, else a file. */
const fits = (file: string, allowed: string): boolean => {
  if (allowed.endsWith('/.')) return dirname(file) === dirname(allowed);
  const [folder, name] = allowed.split('*');
  if (name !== undefined) return file.startsWith(folder!) && file.endsWith(name);
  return allowed.endsWith('/') || allowed === '' ? file.startsWith(allowed) : file === allowed;
};

/** No bundle may carry a simulated institution, but that of the function which is one. */
const SANDBOX = /^shared\/sources\/[^/]+\/sandbox\//;
const mayUseSandbox = (path: string): boolean =>
  SANDBOX.test(path) || /^(infra\/local|functions\/sandbox|test)\//.test(path);

const mayImport = (rule: Rule, path: string, { specifier, file, isType }: Import): boolean => {
  if (file !== null && SANDBOX.test(file) && !mayUseSandbox(path)) return false;
  if (file === null) {
    const isIn = (names: readonly string[]) =>
      names.some((name) => specifier === name || specifier.startsWith(`${name}/`));
    // A type of a package is as good as a comment.
    return (
      isType || (Array.isArray(rule.packages) ? isIn(rule.packages) : !isIn((rule.packages as { not: string[] }).not))
    );
  }
  const groups = rule.files.exec(path)!.groups ?? {};
  const named = (allowed: string) => allowed.replaceAll(/\$<(\w+)>/g, (_, group: string) => groups[group] ?? '');
  return [...rule.may, ...(isType ? (rule.mayType ?? []) : [])].some((allowed) => fits(file, named(allowed)));
};

/** One line per import that breaks its rule: rule, file, line. */
export const brokenRules = (files: readonly CodeFile[]): string[] =>
  files.flatMap(({ path, imports }) => {
    const rule = ruleOf(path);
    if (rule === undefined) return [`${path}: no import rule says what it may import`];
    return imports
      .filter((each) => !mayImport(rule, path, each))
      .map(({ specifier, line }) => `[${rule.name}] ${path}:${line} imports ${specifier}`);
  });
