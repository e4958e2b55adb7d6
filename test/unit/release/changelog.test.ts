import { expect, test } from 'vitest';
import { readUnreleased, tellsOfBreaking } from '#tools/release/breaking-changes.ts';
import { findRefusal, released } from '#tools/release/changelog.ts';

const changelog = (unreleased: string, before = '- BREAKING: an old one.') =>
  `# Changelog\n\nForm.\n\n## Unreleased\n\n${unreleased}\n\n## 1.1.0 - 2026-11-01\n\n${before}\n`;

test.each([
  ['- BREAKING: folio is gone.', true],
  ['### Changed\n\n- More.\n- BREAKING: folio is gone.', true],
  ['BREAKING: folio is gone.', true],
  ['- Nothing is BREAKING: all goes on.', false],
  ['- BREAKING:', false],
  ['- breaking: folio', false],
  ['', false],
])('%j names a breaking change: %s', (unreleased, tells) => {
  expect(tellsOfBreaking(changelog(unreleased))).toBe(tells);
});

test('breaks of an earlier release do not count, and neither do breaks before the first release', () => {
  expect(readUnreleased(changelog('- More.')).trim()).toBe('- More.');
  expect(readUnreleased('# Changelog\n\n## Unreleased\n\n- BREAKING: x.\n').trim()).toBe('- BREAKING: x.');
  expect(tellsOfBreaking('# Changelog\n')).toBe(false);
});

test('a release takes what is unreleased and leaves room for more', () => {
  const after = released(changelog('- More.'), '1.2.0', '2026-11-24');
  expect(after).toContain('## Unreleased\n\n## 1.2.0 - 2026-11-24\n\n- More.\n\n## 1.1.0');
  expect(readUnreleased(after).trim()).toBe('');
});

test.each([
  ['1.2', '- More.', 'a version has the form 1.2.3'],
  ['v1.2.0', '- More.', 'a version has the form 1.2.3'],
  ['1.1.0', '- More.', '1.1.0 is released already'],
  ['1.2.0', '', 'nothing is unreleased'],
  ['1.2.0', '- More.', undefined],
])('release %s of %j: %s', (version, unreleased, refusal) => {
  expect(findRefusal(changelog(unreleased), version)).toBe(refusal);
});
