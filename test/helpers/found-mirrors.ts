/** All mirrors of the guide that this machine can run, and the reason why it cannot run the others. */
import { join } from 'node:path';
import { installed } from '#tools/python/venv.ts';
import { EXAMPLES, type Language } from './example-programs.ts';
import { duckdbMirror, type Mirror, sqliteMirror } from './mirrors.ts';
import { duckdbTenders, sqliteTenders, type TenderMirror } from './tender-mirrors.ts';

/** Name of the mirrors whose program takes seconds to start. */
export const SLOW = 'dlt';

export interface Found {
  mirrors: Mirror[];
  tenderMirrors: TenderMirror[];
  lacking: string[];
}

export const findMirrors = async (folder: string): Promise<Found> => {
  const { programs, reason } = await installed('.venv-dlt', join(EXAMPLES, 'requirements.txt'));
  const languages: Language[] = reason?.includes('ENOENT') ? ['ts'] : ['ts', 'py'];
  const dlt = programs === undefined ? [] : [programs];
  return {
    mirrors: [
      ...languages.map((language) => sqliteMirror(language, folder)),
      ...dlt.map((each) => duckdbMirror(each, folder)),
    ],
    tenderMirrors: [
      ...languages.map((language) => sqliteTenders(language, folder)),
      ...dlt.map((each) => duckdbTenders(each, folder)),
    ],
    lacking: reason === undefined ? [] : [reason],
  };
};
