/**
 * `npm run compatible`: compares docs/openapi.json with that of the latest release, and ends with 1 where a client of it
 * would break, unless the changelog tells so in a line that begins `BREAKING:` (docs/versioning.md).
 */
import { CannotHave } from '#infra/clients/run-program.ts';
import { DESCRIPTION, findBreakingChanges, lineOf, RELEASED, toldInChangelog } from './breaking-changes.ts';

try {
  const changes = await findBreakingChanges(RELEASED, DESCRIPTION);
  for (const change of changes) console.log(lineOf(change));
  if (changes.length === 0) console.log('no change breaks a client of the latest release');
  else if (toldInChangelog()) console.log('CHANGELOG.md tells of it: BREAKING');
  else {
    console.error('CHANGELOG.md does not tell of it: a line that begins `BREAKING:` is missing under Unreleased');
    process.exitCode = 1;
  }
} catch (error) {
  if (!(error instanceof CannotHave)) throw error;
  console.log(`skipped: ${error.message}`);
}
