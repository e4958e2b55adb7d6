/** Codes of runs and notices for the OpenAPI description: as extensions for machines and as text for people. */
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

/** Section about errors and notices, for the introduction of the description. */
export const ERRORS_IN_WORDS = [
  '## Errors and notices of a sync',
  '',
  'An accepted sync reports its errors in `error_code` of the run and of each scope. These are not HTTP errors.',
  '`x-sync-error-codes` lists them. Clients must accept new codes.',
  '',
  row(['`error_code`', 'Mended by', 'Retried in the run', 'Meaning']),
  row(['---', '---', '---', '---']),
  ...ERROR_CATALOGUE.map(({ code, mender, retried, en }) =>
    row([`\`${code}\``, MENDERS[mender], retried ? 'yes' : 'no', en]),
  ),
  '',
  'A notice reports an expected condition in `notices` of a scope and does not change its status. Its code is the scope',
  'and a word, such as `tax.guias.out_of_window`. `x-notice-codes` lists all, with what to do. `/docs/errors` shows both.',
].join('\n');
