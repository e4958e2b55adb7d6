import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createApp } from '#infra/app.ts';
import { FUNCTIONS } from '#infra/manifest.ts';
import type { Json } from './synthesized.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const bundleInto = (dir: string, functionIds: string[]): void => {
  for (const id of functionIds) {
    mkdirSync(join(dir, id), { recursive: true });
    writeFileSync(join(dir, id, 'index.mjs'), `export const handler = '${id}';`);
  }
};

const ids = FUNCTIONS.map(({ functionId }) => functionId);

it('copies the code of every function into the assembly, where its template finds it', () => {
  bundleInto(folder, ids);
  const outdir = join(folder, 'out');
  const { stacks } = createApp({ stage: 'local', outdir, bundleDir: folder }).synth();
  const code = stacks.flatMap(({ stackName, template }) => {
    const assets = JSON.parse(readFileSync(join(outdir, `${stackName}.assets.json`), 'utf8')) as { files: Json };
    return Object.values<Json>(template.Resources)
      .filter(({ Type }) => Type === 'AWS::Lambda::Function')
      .map(({ Properties }): [string, string] => {
        const [hash] = Properties.Code.S3Key.split('.');
        return [
          Properties.Description,
          readFileSync(join(outdir, assets.files[hash].source.path, 'index.mjs'), 'utf8'),
        ];
      });
  });
  expect(new Map(code)).toEqual(new Map(ids.map((id) => [id, `export const handler = '${id}';`])));
});

it('refuses to synthesize what is not bundled, and names it', () => {
  const [missing, ...rest] = ids;
  bundleInto(folder, rest);
  const synth = () => createApp({ stage: 'local', outdir: join(folder, 'out'), bundleDir: folder });
  expect(synth).toThrow(`not bundled yet: ${missing}. Run \`npm run bundle\` first, or leave`);
});

/** Keys of the functions' code in the asset bucket, of an app that is synthesized with `--no-staging`. */
const keysWithoutStaging = (dir: string): string[] => {
  vi.stubEnv('CDK_CONTEXT_JSON', JSON.stringify({ 'aws:cdk:disable-asset-staging': true }));
  const outdir = mkdtempSync(join(folder, 'out-'));
  const { stacks } = createApp({ stage: 'local', outdir, bundleDir: dir }).synth();
  return stacks
    .flatMap(({ template }) => Object.values<Json>(template.Resources))
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .map(({ Properties }) => Properties.Code.S3Key as string);
};

it('gives changed code another key without asset staging, because CloudFormation deploys by the key', () => {
  bundleInto(folder, ids);
  const before = keysWithoutStaging(folder);
  writeFileSync(join(folder, ids[0]!, 'index.mjs'), 'export const handler = "changed";');
  const after = keysWithoutStaging(folder);
  expect(before.length).toBe(ids.length);
  expect(after.filter((key) => !before.includes(key))).toHaveLength(1);
});
