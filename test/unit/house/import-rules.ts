/** Which file may import which (architecture.md §3). For each file, the first rule whose pattern matches applies. */
import { dirname } from 'node:path';
import type { CodeFile, Import } from './code-files.ts';

export interface Rule {
  name: string;
  files: RegExp;
  /**
   * Files of the repository that it may import, in addition to those of its own rule; `$<x>` is the named group of
   * `files`.
   */
  may: readonly string[];
  /** Only as types, which the compiler removes. */
  mayType?: readonly string[];
  /** Packages and modules of Node, complete or up to a slash. */
  packages: readonly string[] | { not: readonly string[] };
}

const CLOUD = ['@aws-sdk', '@aws-crypto', '@aws-lambda-powertools', '@middy', '@smithy', 'aws-lambda', 'aws-cdk-lib'];
const INFRASTRUCTURE = ['aws-cdk-lib', 'constructs', 'esbuild', 'fauxqs', 'fastify'];
const VALUES = 'shared/values/';
const SCOPES = 'shared/scopes/';
const TRANSPORT = 'shared/transport/';
const SOURCE_INTERFACE = 'shared/sources/source.ts';
const PARSING_RESULTS = 'shared/sources/parsing/results.ts';
const SANDBOX_KIT = 'shared/sources/sandbox-kit/';
/** Only types: a page of the documentation shows the tables. */
const SANDBOX_CREDENTIAL = `${SANDBOX_KIT}credential.ts`;

/** Rooms of shared that know the table, from the bottom up: each may import earlier rooms, and never a later one. */
export const ROOMS = [
  'platform',
  'table',
  'audit',
  'messaging',
  'connections',
  'rows',
  'tenders',
  'webhooks',
  'auth',
  'agents',
  'sync',
  'recovery',
  'connect-links',
  'http',
  'mcp',
] as const;
type Room = (typeof ROOMS)[number];

const below = (room: Room): string[] => [
  VALUES,
  TRANSPORT,
  ...(room === 'platform' || room === 'table' || room === 'audit' || room === 'messaging' ? [] : [SCOPES]),
  ...ROOMS.slice(0, ROOMS.indexOf(room) + 1).map((each) => `shared/${each}/`),
];

/** Rooms that run an institution's adapter. All others know only the types of sources. */
const KNOW_SOURCES: readonly Room[] = ['sync', 'recovery'];

const roomRule = (room: Room): Rule => ({
  name: `${room}: rooms below it alone`,
  files: new RegExp(`^shared/${room}/`),
  may: [...below(room), ...(KNOW_SOURCES.includes(room) ? ['shared/sources/'] : [])],
  mayType: room === 'platform' || room === 'table' ? [] : [SOURCE_INTERFACE],
  packages: { not: room === 'http' ? INFRASTRUCTURE : ['@middy', ...INFRASTRUCTURE] },
});

/** Packages that keep a module pure, in any folder. */
const PURE = ['zod', 'temporal-polyfill', 'big.js', 'uuid', 'node:crypto'];

export const RULES: readonly Rule[] = [
  { name: 'values: no I/O, nothing above', files: /^shared\/values\//, may: [VALUES], packages: PURE },
  {
    name: 'transport: knows neither webhooks nor institutions',
    files: /^shared\/transport\//,
    may: [TRANSPORT, VALUES],
    packages: ['node:dns', 'node:http', 'node:net', 'node:stream', 'node:tls'],
  },
  { name: 'scopes', files: /^shared\/scopes\//, may: [SCOPES, VALUES], packages: ['zod'] },
  {
    name: 'registry of manifests',
    files: /^shared\/sources\/(?:manifests\.gen|find-manifest)\.ts$/,
    may: ['shared/sources/'],
    packages: [],
  },
  {
    name: 'source interface',
    files: /^shared\/sources\/source\.ts$/,
    may: [VALUES, SOURCE_INTERFACE],
    packages: ['zod'],
  },
  {
    name: 'what every sandbox is: knows no institution',
    files: /^shared\/sources\/sandbox-kit\//,
    may: [SANDBOX_KIT, SOURCE_INTERFACE, VALUES],
    packages: ['big.js', 'fastify', 'zod'],
  },
  {
    name: 'what sources parse and call with',
    files: /^shared\/sources\/parsing\//,
    may: ['shared/sources/parsing/', 'shared/sources/http/client.ts', SOURCE_INTERFACE, VALUES],
    packages: [],
  },
  {
    name: 'http client of the sources',
    files: /^shared\/sources\/http\//,
    may: ['shared/sources/http/', TRANSPORT, PARSING_RESULTS, SOURCE_INTERFACE, VALUES],
    packages: { not: [...CLOUD, ...INFRASTRUCTURE] },
  },
  {
    name: 'what answers must add up to',
    files: /^shared\/sources\/truth\//,
    // Bytes are validated as they are decoded.
    may: ['shared/sources/truth/', 'shared/sources/http/charset.ts', PARSING_RESULTS, SOURCE_INTERFACE, VALUES],
    packages: { not: [...CLOUD, ...INFRASTRUCTURE] },
  },
  {
    name: 'source manifest: pure data',
    files: /^shared\/sources\/(?<source>[^/]+)\/manifest\.ts$/,
    may: [SOURCE_INTERFACE, VALUES],
    packages: ['zod'],
  },
  {
    name: 'sandbox: the institution, a server of its own',
    files: /^shared\/sources\/(?<source>[^/]+)\/sandbox\//,
    may: ['shared/sources/$<source>/', SOURCE_INTERFACE, SANDBOX_KIT, SCOPES, VALUES],
    packages: { not: [...CLOUD, 'aws-cdk-lib', 'fauxqs'] },
  },
  {
    name: 'source: knows no other source, no table, no AWS',
    files: /^shared\/sources\/(?<source>[^/]+)\//,
    may: [
      'shared/sources/$<source>/',
      SOURCE_INTERFACE,
      'shared/sources/http/',
      'shared/sources/parsing/',
      'shared/sources/truth/',
      SCOPES,
      VALUES,
    ],
    packages: { not: [...CLOUD, ...INFRASTRUCTURE] },
  },
  ...ROOMS.map(roomRule),
  {
    name: 'contract: pure data, read without loading a handler',
    files: /^functions\/(?<group>api\/[^/]+|workers)\/[^/]+\/contract\.ts$/,
    // imports.test.ts also checks what those modules of http load in turn.
    may: [
      'shared/agents/addresses.ts',
      'shared/http/',
      'shared/messaging/contract.ts',
      'shared/messaging/queues.ts',
      'shared/*/limits.ts',
      'shared/*.rules.ts',
      VALUES,
      SCOPES,
    ],
    mayType: ['shared/platform/needs.ts'],
    packages: ['zod'],
  },
  {
    name: 'the simulated institutions of a stage',
    files: /^functions\/sandbox\//,
    may: ['functions/sandbox/', 'shared/sources/', 'shared/table/', 'shared/platform/', VALUES],
    packages: { not: [...CLOUD.filter((name) => name !== 'aws-lambda'), ...INFRASTRUCTURE] },
  },
  {
    name: 'what puts the files of the dashboard in place',
    files: /^functions\/publish-dashboard\//,
    may: ['functions/publish-dashboard/', 'shared/platform/', VALUES],
    packages: { not: ['@middy', ...INFRASTRUCTURE] },
  },
  {
    name: 'what empties a bucket before its stack is deleted',
    files: /^functions\/empty-bucket\//,
    may: ['functions/empty-bucket/', 'shared/platform/', VALUES],
    packages: { not: ['@middy', ...INFRASTRUCTURE] },
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
    name: 'tools: never a handler, tools run handlers from their bundles',
    files: /^tools\//,
    // The local runner serves the simulated institutions of all sources.
    may: [
      'tools/',
      'infra/',
      'shared/',
      'functions/*/contract.ts',
      'functions/sandbox/institutions.gen.ts',
      'docs/examples/',
    ],
    mayType: ['dashboard/src/data/resource.ts'],
    packages: { not: [] },
  },
  {
    name: 'infra: contracts, manifests and needs, never handlers, stores or rules',
    files: /^infra\//,
    may: [
      'infra/',
      'functions/*/contract.ts',
      'shared/agents/addresses.ts',
      'shared/mcp/describe-tools.ts',
      'shared/http/contract.ts',
      'shared/http/protocol-contract.ts',
      'shared/http/openapi/describe-sources.ts',
      'shared/http/openapi/description.ts',
      'shared/messaging/contract.ts',
      'shared/messaging/queues.ts',
      'shared/platform/queue-names.ts',
      'shared/platform/needs.ts',
      'shared/platform/limits.ts',
      'shared/platform/metric-catalogue.ts',
      'shared/platform/secret-resource.ts',
      SCOPES,
      'shared/values/error-catalogue.ts',
      'shared/values/notice-catalogue.ts',
      'shared/sources/manifests.gen.ts',
      SOURCE_INTERFACE,
      SANDBOX_CREDENTIAL,
    ],
    // The dashboard's data about each scope is generated.
    mayType: ['dashboard/src/data/resource.ts'],
    packages: { not: ['@aws-sdk', '@middy'] },
  },
  {
    name: 'dashboard: types of contracts, nothing that runs',
    files: /^dashboard\//,
    may: ['dashboard/'],
    // The description's types are derived from the contracts.
    mayType: ['functions/*/contract.ts', 'docs/examples/api-types.gen.ts'],
    packages: { not: [...CLOUD, ...INFRASTRUCTURE] },
  },
  { name: 'tests may import anything', files: /^test\//, may: [''], packages: { not: [] } },
];

export const ruleOf = (path: string): Rule | undefined => RULES.find(({ files }) => files.test(path));

/**
 * `a/` matches a folder, `a/.` only the files directly in it, `a/*\/b.ts` that file anywhere below, any other text one
 * file.
 */
const fits = (file: string, allowed: string): boolean => {
  if (allowed.endsWith('/.')) return dirname(file) === dirname(allowed);
  const [folder, name] = allowed.split('*');
  if (name !== undefined) return file.startsWith(folder!) && file.endsWith(name);
  return allowed.endsWith('/') || allowed === '' ? file.startsWith(allowed) : file === allowed;
};

/** No bundle may contain a simulated institution, except that of the function which runs them. */
const SANDBOX = /^shared\/sources\/(?:[^/]+\/sandbox|sandbox-kit(?!\/credential\.ts$))\//;
const mayUseSandbox = (path: string): boolean =>
  SANDBOX.test(path) || /^(tools\/(?:local|examples)|functions\/sandbox|test)\//.test(path);

const mayImport = (rule: Rule, path: string, { specifier, file, isType }: Import): boolean => {
  if (file !== null && SANDBOX.test(file) && !mayUseSandbox(path)) return false;
  if (file === null) {
    const isIn = (names: readonly string[]) =>
      names.some((name) => specifier === name || specifier.startsWith(`${name}/`));
    // A type of a package has no effect at run time.
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
