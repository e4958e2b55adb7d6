/** Writes the packages of a release as CycloneDX (SBOM), from the lock file. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '#tools/clients/run-program.ts';

const ROOT = join(import.meta.dirname, '../..');
export const SBOM = join(ROOT, 'docs/released/sbom.json');

interface Component {
  'bom-ref': string;
  name: string;
  version: string;
  properties?: { name: string; value: string }[];
}

interface Sbom {
  bomFormat: string;
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

const isTool = ({ properties = [] }: Component): boolean =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');

/**
 * Resolves to the packages that run in functions and in the page. npm's own `--omit dev` (npm 11.19) also leaves out
 * packages that run and that a tool needs as well, such as zod.
 */
export const listPackages = async (): Promise<Sbom> => {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  const sbom: Sbom = JSON.parse(await runProgram({ program: 'npm', args, cwd: ROOT }));
  const tools = new Set(sbom.components.filter(isTool).map((component) => component['bom-ref']));
  return {
    ...sbom,
    components: sbom.components.filter((component) => !isTool(component)),
    dependencies: sbom.dependencies
      .filter(({ ref }) => !tools.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => !tools.has(each)) })),
  };
};

export const writeSbom = async (): Promise<void> => writeFileSync(SBOM, `${JSON.stringify(await listPackages())}\n`);
