/** Every answer that no adapter knows, to a login of every source, over two days. */
import { describe } from 'vitest';
import { HOSTILE_ANSWERS } from '#test/fakes/hostile-institution.ts';
import { loadSources } from '#test/helpers/source-folders.ts';
import { describeAcceptedLogins, describeHostileLogins } from '../integration/sources/hostile-stage.ts';

const folders = await loadSources();
describe.each(folders.map((folder) => [folder.code, folder] as const))('%s', (_code, folder) => {
  const names = Object.keys(HOSTILE_ANSWERS);
  describeHostileLogins(folder, names, 2);
  describeAcceptedLogins(folder, names);
});
