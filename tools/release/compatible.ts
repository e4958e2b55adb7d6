/**
 * `npm run compatible`: compares docs/openapi.json and the stored items with the latest release (docs/versioning.md).
 * The exit code is 1 in two cases: a client would break and no line of the changelog begins with `BREAKING:`; or one
 * version cannot read the items of the other version and no line `STORED: <what>` announces it.
 */
import { readFileSync } from 'node:fs';
import { CannotHave } from '#tools/clients/run-program.ts';
import {
  CHANGELOG,
  DESCRIPTION,
  findBreakingChanges,
  formatChange,
  RELEASED,
  toldInChangelog,
} from './breaking-changes.ts';
import { findStoredBreaks, findUnannounced, formatFinding } from './released-items.ts';

const compareStored = async (): Promise<void> => {
  const findings = await findStoredBreaks();
  for (const finding of findings) console.log(formatFinding(finding));
  if (findings.length === 0) console.log('this version and the latest release can read the stored items of each other');
  const untold = findUnannounced(findings, readFileSync(CHANGELOG, 'utf8'));
  for (const subject of new Set(untold.map((finding) => finding.subject)))
    console.error(`CHANGELOG.md does not announce it: a line "STORED: ${subject} …" is missing under Unreleased`);
  if (untold.length > 0) process.exitCode = 1;
};

const compareDescriptions = async (): Promise<void> => {
  const changes = await findBreakingChanges(RELEASED, DESCRIPTION);
  for (const change of changes) console.log(formatChange(change));
  if (changes.length === 0) console.log('no change breaks a client of the latest release');
  else if (toldInChangelog()) console.log('CHANGELOG.md announces it: BREAKING');
  else {
    console.error('CHANGELOG.md does not announce it: a line that begins `BREAKING:` is missing under Unreleased');
    process.exitCode = 1;
  }
};

await compareStored();
try {
  await compareDescriptions();
} catch (error) {
  if (!(error instanceof CannotHave)) throw error;
  console.log(`skipped: ${error.message}`);
}
