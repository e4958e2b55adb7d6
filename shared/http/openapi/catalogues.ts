/** Codes of runs and notices for the description: as extensions for machines and as text for people. */
import { ERROR_CATALOGUE } from '#shared/values/error-catalogue.ts';
import { NOTICE_CATALOGUE } from '#shared/values/notice-catalogue.ts';
import type { SchemaJson } from './json-schema.ts';

/** Extensions at the root of the description. */
export const CATALOGUES: SchemaJson = {
  'x-sync-error-codes': ERROR_CATALOGUE.map(({ code, mender, retried, movesToError, en }) => ({
    code,
    mended_by: mender,
    retried,
    moves_connection_to_error: movesToError,
    meaning: en,
  })),
  'x-notice-codes': NOTICE_CATALOGUE.map(({ code, mender, en, todo }) => ({
    code,
    mended_by: mender,
    meaning: en,
    what_to_do: todo,
  })),
};

const MENDERS = { owner: 'you', source: 'the institution', us: 'this service' } as const;

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** A section of the introduction. */
export const ERRORS_IN_WORDS = [
  '## Errors and notices of a sync',
  '',
  'A sync that was accepted tells its faults in `error_code` of the run and of each scope, which are no HTTP errors.',
  '`x-sync-error-codes` lists them. Clients must expect codes that are added later.',
  '',
  row(['`error_code`', 'Mended by', 'Tried again in the run', 'Meaning']),
  row(['---', '---', '---', '---']),
  ...ERROR_CATALOGUE.map(({ code, mender, retried, en }) =>
    row([`\`${code}\``, MENDERS[mender], retried ? 'yes' : 'no', en]),
  ),
  '',
  'A notice tells an expected condition in `notices` of a scope, and leaves its status as it is. Its code is the scope',
  'and a word, such as `tax.guias.out_of_window`; `x-notice-codes` lists all, with what to do. `/docs/errors` shows both.',
].join('\n');
