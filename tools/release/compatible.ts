/**
 * `npm run compatible`: compares docs/openapi.json, and what is stored, with the latest release. Ends with 1 where a client of it
 * would break and the changelog has no line that begins `BREAKING:`, or where one version does not read what the other stores
 * and no line `STORED: <what>` tells so (docs/versioning.md).
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
  if (findings.length === 0) console.log('this version and the latest release read what the other stores');
  const untold = findUnannounced(findings, readFileSync(CHANGELOG, 'utf8'));
  for (const subject of new Set(untold.map((finding) => finding.subject)))
    console.error(`CHANGELOG.md does not tell of it: a line "STORED: ${subject} …" is missing under Unreleased`);
  if (untold.length > 0) process.exitCode = 1;
};

const compareDescriptions = async (): Promise<void> => {
  const changes = await findBreakingChanges(RELEASED, DESCRIPTION);
  for (const change of changes) console.log(formatChange(change));
  if (changes.length === 0) console.log('no change breaks a client of the latest release');
  else if (toldInChangelog()) console.log('CHANGELOG.md tells of it: BREAKING');
  else {
    console.error('CHANGELOG.md does not tell of it: a line that begins `BREAKING:` is missing under Unreleased');
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
