/** What the page says of a failed sync against what the service knows: every code has words and the right mender. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SYNC_ERRORS } from '#shared/domain/error-codes.ts';
import { causeTexts } from '../../../dashboard/src/connections/cause-texts.ts';
import { causeOf, noticeOf } from '../../../dashboard/src/connections/causes.ts';

const CREDENTIALS_PAGE = join(import.meta.dirname, '../../../docs/sandbox-credentials.md');

it.each(Object.entries(SYNC_ERRORS))('%s: plain words, who mends it, whether new credentials do', (code, known) => {
  expect(causeTexts.es).toHaveProperty([code]);
  const { text, mender, needsCredentials } = causeOf(code);
  expect(text).not.toContain(code);
  expect(mender).toBe(known.mends);
  expect(needsCredentials).toBe(known.movesToError);
});

it('tells a code that it does not know', () => {
  expect(causeOf('source.of_tomorrow')).toMatchObject({ mender: 'us', needsCredentials: false });
  expect(causeOf('source.of_tomorrow').text).toContain('source.of_tomorrow');
});

it('has words for every notice of the simulated institutions', () => {
  const codes = new Set(readFileSync(CREDENTIALS_PAGE, 'utf8').match(/`[a-z]+\.[a-z]+\.[a-z_]+`/g));
  expect(codes.size).toBeGreaterThan(10);
  for (const code of codes)
    expect(noticeOf(code.replaceAll('`', ''), 'as the service says'), code).not.toBe('as the service says');
});

it('leaves a notice without words in the service’s own', () => {
  expect(noticeOf('tax.rcv.of_tomorrow', 'as the service says')).toBe('as the service says');
});
