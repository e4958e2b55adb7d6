/**
 * Exports that stacks import from each other exist before and after a deploy: no scope, source or release removes one.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MANIFESTS } from '#shared/sources/manifests.gen.ts';
import type { SourceManifest } from '#shared/sources/source.ts';
import { sampled } from '#test/helpers/effort.ts';
import {
  currentImports,
  findDroppedExports,
  listExports,
  listImports,
  readReleasedImports,
} from '#tools/release/stack-imports.ts';
import { everyTemplateOf, STAGE_NAMES } from './synthesized.ts';

/** Written out, because deployed stages depend on these names. */
const EXPORTS = [
  'api:ExportsOutputRefAccessLogs',
  'api:ExportsOutputRefHttp',
  'data:ExportsOutputFnGetAttConnectionSchedulesRole',
  'data:ExportsOutputFnGetAttDataKey',
  'data:ExportsOutputFnGetAttDocuments',
  'data:ExportsOutputFnGetAttRawAnswers',
  'data:ExportsOutputFnGetAttSecretsKey',
  'data:ExportsOutputRefConnectionSchedulesGroup',
  'data:ExportsOutputRefDocuments',
  'data:ExportsOutputRefRawAnswers',
];

/** A stage on one machine has no page. */
const ORIGIN_OF_PAGE = 'web:ExportsOutputFnGetAttDistribution';

const missing = (wanted: readonly string[], there: readonly string[]): string[] =>
  wanted.filter((name) => !there.includes(name));

/** The stage with all possible stacks. */
const everyStack = everyTemplateOf('dev', true);
const importsNow = currentImports();
const released = readReleasedImports();

describe.each([...STAGE_NAMES.map((stage) => [stage, false] as const), ['dev', true] as const])(
  'stage %s, sandbox %s',
  (stage, hasSandbox) => {
    const templates = [...everyTemplateOf(stage, hasSandbox).values()];

    it('exports the same list for every deployment', () => {
      const names = listExports(stage, templates).map((name) =>
        name.replace(/[0-9A-F]{8}(?:Arn|ApiEndpoint|DomainName)?[0-9A-F]{8}$/, ''),
      );
      expect(names).toEqual([
        ...EXPORTS,
        ...(hasSandbox ? ['sandbox:ExportsOutputFnGetAttHttp'] : []),
        ...(stage === 'local' ? [] : [ORIGIN_OF_PAGE]),
      ]);
    });

    it('imports nothing that is not exported', () => {
      const imports = listImports(stage, templates);
      expect(imports.length).toBeGreaterThan(5);
      expect(missing(imports, listExports(stage, templates))).toEqual([]);
    });
  },
);

it('exports what the latest release imports', () => {
  expect(released.length).toBeGreaterThan(5);
  expect(missing(released, listExports('dev', everyStack.values()))).toEqual([]);
});

it('finds what a release would drop, and the sandbox’s only where there is one', () => {
  expect(findDroppedExports()).toEqual([]);
  const gone = 'data:ExportsOutputRefGone';
  expect(findDroppedExports([...released, gone, 'sandbox:Gone'])).toEqual([gone, 'sandbox:Gone']);
});

const switchedOff = [
  ...MANIFESTS.map(({ code }): [string, SourceManifest[]] => [
    code,
    MANIFESTS.map((manifest) => (manifest.code === code ? { ...manifest, isActive: false } : manifest)),
  ]),
  ...MANIFESTS.flatMap(({ code, scopes }) =>
    scopes.map((scope): [string, SourceManifest[]] => [
      `${code}.${scope}`,
      MANIFESTS.map((manifest) =>
        manifest.code === code ? { ...manifest, scopes: scopes.filter((each) => each !== scope) } : manifest,
      ),
    ]),
  ),
];

describe('switched off', () => {
  afterEach(() => {
    vi.doUnmock('#shared/sources/manifests.gen.ts');
    vi.resetModules();
  });

  it.each(sampled(switchedOff, 4))(
    '%s takes nothing away that this version or the release imports',
    async (_, manifests) => {
      vi.resetModules();
      vi.doMock('#shared/sources/manifests.gen.ts', () => ({ MANIFESTS: manifests }));
      const { everyTemplateOf: without } = await import('./synthesized.ts');
      const templates = without('dev', true);
      // Otherwise the switch would have had no effect.
      expect(queuesIn(templates)).toBeLessThan(queuesIn(everyStack));
      expect(missing([...importsNow, ...released], listExports('dev', templates.values()))).toEqual([]);
      // The dead letters of the scopes also stay, because they may contain its messages.
      expect(JSON.stringify([...templates.values()])).toContain(
        '"QueueName":"data-connections-dev-scopes-dead-letters"',
      );
    },
  );
});

function queuesIn(templates: ReturnType<typeof everyTemplateOf>): number {
  return [...templates.values()].flatMap(({ Resources }) =>
    Object.values(Resources).filter(({ Type }) => Type === 'AWS::SQS::Queue'),
  ).length;
}
