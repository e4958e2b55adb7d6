/**
 * `npm run release -- <version>`: what is unreleased in CHANGELOG.md becomes the version, and the description becomes the
 * one that later ones are compared with (docs/released/openapi.json), as do the imports of the stacks
 * (infra/released/imports.json), in one commit. Refuses a work tree with changes, and a description that breaks clients in silence. `info.version` of the description stays as service.md says.
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { runProgram } from '#infra/clients/run-program.ts';
import { CHANGELOG, DESCRIPTION, findBreakingChanges, lineOf, RELEASED, toldInChangelog } from './breaking-changes.ts';
import { refusalOf, released } from './changelog.ts';
import { currentImports, RELEASED_IMPORTS } from './stack-imports.ts';

const refuse = (reason: string): never => {
  console.error(reason);
  process.exit(1);
};

const cwd = dirname(CHANGELOG);
const git = (...args: string[]): Promise<string> => runProgram({ program: 'git', args, cwd });

const version = process.argv[2] ?? '';
const changelog = readFileSync(CHANGELOG, 'utf8');
const refusal = refusalOf(changelog, version);
if (refusal !== undefined) refuse(refusal);
if ((await git('status', '--porcelain')) !== '') refuse('the work tree has changes: commit them first');
const changes = await findBreakingChanges(RELEASED, DESCRIPTION);
if (changes.length > 0 && !toldInChangelog()) refuse(changes.map(lineOf).join('\n'));

writeFileSync(CHANGELOG, released(changelog, version, new Date().toISOString().slice(0, 10)));
copyFileSync(DESCRIPTION, RELEASED);
writeFileSync(RELEASED_IMPORTS, `${JSON.stringify(currentImports(), null, 2)}\n`);
await git('add', CHANGELOG, RELEASED, RELEASED_IMPORTS);
await git('commit', '--quiet', '-m', `release: ${version}`);
console.log(`released ${version}`);
