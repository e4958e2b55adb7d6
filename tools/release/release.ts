/**
 * `npm run release -- <version>`: turns the unreleased part of CHANGELOG.md into the version's part. In the same commit
 * it updates the files with which later versions are compared: the description (docs/released/openapi.json), and the
 * imports of the stacks and the stored items (tools/released), and writes the list of packages (docs/released/sbom.json). It refuses a work tree with changes, unannounced
 * breaking changes of the API or of stored items, and a version to which stacks of the latest release cannot be
 * updated. `info.version` of the description does not change, because service.md defines it.
 *
 * `npm run release -- baseline` is for the time before the first release: the first release is compared with today's
 * stored items and imports.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runProgram } from '#tools/clients/run-program.ts';
import {
  CHANGELOG,
  DESCRIPTION,
  findBreakingChanges,
  formatChange,
  RELEASED,
  toldInChangelog,
} from './breaking-changes.ts';
import { findRefusal, hasRelease, released } from './changelog.ts';
import {
  findStoredBreaks,
  findUnannounced,
  formatFinding,
  RELEASED_ITEMS,
  writeReleasedItems,
} from './released-items.ts';
import { SBOM, writeSbom } from './sbom.ts';
import { currentImports, findDroppedExports, RELEASED_IMPORTS } from './stack-imports.ts';

const refuse = (reason: string): never => {
  console.error(reason);
  process.exit(1);
};

const cwd = dirname(CHANGELOG);
const git = (...args: string[]): Promise<string> => runProgram({ program: 'git', args, cwd });
const changelog = readFileSync(CHANGELOG, 'utf8');

const writeReleased = async (): Promise<void> => {
  writeFileSync(RELEASED_IMPORTS, `${JSON.stringify(currentImports(), null, 2)}\n`);
  await writeReleasedItems();
};

const writeBaseline = async (): Promise<void> => {
  if (hasRelease(changelog)) refuse('there is already a release: its baseline stays until the next one');
  await writeReleased();
  console.log(`written: ${join('tools', 'released')}`);
};

const release = async (version: string): Promise<void> => {
  const refusal = findRefusal(changelog, version);
  if (refusal !== undefined) refuse(refusal);
  if ((await git('status', '--porcelain')) !== '') refuse('the work tree has changes: commit them first');
  const dropped = findDroppedExports();
  if (dropped.length > 0)
    refuse(
      dropped
        .map((name) => `the latest release imports ${name}, which is not exported: keep it until the next release`)
        .join('\n'),
    );
  const changes = await findBreakingChanges(RELEASED, DESCRIPTION);
  if (changes.length > 0 && !toldInChangelog()) refuse(changes.map(formatChange).join('\n'));
  const unread = findUnannounced(await findStoredBreaks(), changelog);
  if (unread.length > 0) refuse(unread.map(formatFinding).join('\n'));

  writeFileSync(CHANGELOG, released(changelog, version, new Date().toISOString().slice(0, 10)));
  // The file has only one line, because only programs read it.
  writeFileSync(RELEASED, `${JSON.stringify(JSON.parse(readFileSync(DESCRIPTION, 'utf8')))}\n`);
  await writeReleased();
  await writeSbom();
  await git('add', CHANGELOG, RELEASED, RELEASED_IMPORTS, RELEASED_ITEMS, SBOM);
  await git('commit', '--quiet', '-m', `release: ${version}`);
  console.log(`released ${version}`);
};

const wanted = process.argv[2] ?? '';
await (wanted === 'baseline' ? writeBaseline() : release(wanted));
