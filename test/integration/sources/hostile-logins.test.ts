/**
 * Logins with answers that no adapter knows: every answer for one source (in CI), and three for each other source.
 * test/slow/hostile-logins-of-every-source.test.ts runs all of them for every source, and the next day.
 */
import { describe } from 'vitest';
import { HOSTILE_ANSWERS } from '#test/fakes/hostile-institution.ts';
import { IS_WHOLE, sampled } from '#test/helpers/effort.ts';
import { loadSources } from '#test/helpers/source-folders.ts';
import { describeAcceptedLogins, describeHostileLogins } from './hostile-stage.ts';

/** An earlier version made 16 requests per run with this source. */
const WHOLE = 'bankone';
const THREE = ['HTTP 401 with an unknown code', 'a page of a firewall, with HTTP 200', 'a reset connection'];

const folders = await loadSources();
describe.each(sampled(folders, 2).map((folder) => [folder.code, folder] as const))('%s', (code, folder) => {
  describeHostileLogins(folder, code === WHOLE && IS_WHOLE ? Object.keys(HOSTILE_ANSWERS) : THREE, 1);
  if (code === WHOLE) describeAcceptedLogins(folder, THREE);
});
