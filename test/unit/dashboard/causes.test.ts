/**
 * What the page says of a failed sync, compared with the service's codes: every code has a text and says who can fix
 * it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { HALF_WRITTEN, READ_BEFORE_MONTH_END } from '#shared/sync/coverage/coverage.rules.ts';
import { tellFault } from '#shared/sync/task/fault-words.rules.ts';
import { SYNC_ERRORS } from '#shared/values/sync-errors.ts';
import { causeTexts } from '../../../dashboard/src/connections/cause-texts.ts';
import {
  describeAttention,
  describeCause,
  describeNotice,
  describeReason,
  failureDetail,
} from '../../../dashboard/src/connections/causes.ts';

const SAID = 'as the service says';
const told = { text: expect.not.stringContaining(SAID), detail: SAID };
const CREDENTIALS_PAGE = join(import.meta.dirname, '../../../docs/sandbox-credentials.md');

it.each(Object.entries(SYNC_ERRORS))('%s: plain words, who fixes it, whether new credentials do', (code, known) => {
  expect(causeTexts.es).toHaveProperty([code]);
  const { text, mender, needsCredentials } = describeCause(code);
  expect(text).not.toContain(code);
  expect(mender).toBe(known.responsible);
  expect(needsCredentials).toBe(known.movesToError);
});

it('has words for the notices of `attention`, and leaves errors to the page of the failed run', () => {
  const texts = describeAttention(['source.password_expired', 'tax.login_shared', 'connection.error']);
  expect(texts).toEqual([causeTexts.en['notice.login_shared']]);
  expect(describeAttention(undefined)).toEqual([]);
});

it('shows an unknown code', () => {
  expect(describeCause('source.of_tomorrow')).toMatchObject({ mender: 'us', needsCredentials: false });
  expect(describeCause('source.of_tomorrow').text).toContain('source.of_tomorrow');
});

it('has words for every notice of the simulated institutions', () => {
  const codes = new Set(readFileSync(CREDENTIALS_PAGE, 'utf8').match(/`[a-z]+\.[a-z]+\.[a-z_]+`/g));
  expect(codes.size).toBeGreaterThan(10);
  for (const code of codes)
    expect(describeNotice({ code: code.replaceAll('`', ''), message: SAID }), code).toEqual(told);
});

it.each([
  'columns_missing',
  'totals_differ',
  'lines_unreadable',
  'characters_damaged',
  'rows_kept',
  'rows_replaced',
  'open_rows_ignored',
  'doubtful_rows_ignored',
  'transfers_repeated',
  'states_unknown',
  'booked_late',
  'statement_partial',
  'statement_doubtful',
  'numbers_shared',
  'accounts_unknown',
  'numbers_changed',
  'rows_rewritten',
])('%s: our words, and the service’s own with what they leave out', (what) => {
  expect(describeNotice({ code: `tax.rcv.${what}`, message: SAID })).toEqual(told);
});

it('says why a month is not complete: a fault, a notice, or that it was read before it was over', () => {
  for (const code of ['source.timeout', 'tax.rcv.rows_kept', READ_BEFORE_MONTH_END, HALF_WRITTEN])
    expect(describeReason(code)).not.toContain(code.split('.').at(-1));
  expect(describeReason('tax.rcv.of_tomorrow')).toBe('tax.rcv.of_tomorrow');
});

it('leaves a notice without words in the service’s own', () => {
  const unknown = { code: 'tax.rcv.of_tomorrow', message: SAID };
  expect(describeNotice(unknown)).toEqual({ text: SAID, detail: null });
  expect(describeNotice({ ...unknown, message: null }).text).toContain('tax.rcv.of_tomorrow');
});

it('says that no login was tried, until when, and the result of the last one', () => {
  const day = 'Not tried: two unclear logins today; next try 2026-11-24T03:00:00.000Z or with new credentials.';
  expect(failureDetail(day)).toBe(
    'No sign-in was tried: two of today ended without a clear answer. ' +
      'The next try is from 24 Nov 2026, 00:00, or with new sign-in details.',
  );
  expect(failureDetail(day.replace(/\.$/, ''))).toBe(failureDetail(day));
  expect(failureDetail(`${day} Last: The institution answered 500.`)).toBe(
    `${failureDetail(day)} What was known last: The institution answered 500.`,
  );
  expect(failureDetail('Not tried again: two unclear logins in this run.')).toContain('two of this sync');
  const ofScope = tellFault('Boletas', null, day);
  expect(failureDetail(ofScope)).toBe(failureDetail(day));
  expect(failureDetail('Not tried again: two logins in this run.')).toContain('already made two');
  expect(failureDetail('Not tried: these credentials were refused before.')).toContain('refused these');
  expect(failureDetail('The institution answered 500.')).toBe('The institution answered 500.');
});
