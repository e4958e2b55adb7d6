import { expect, test } from 'vitest';
import { chooseRequestId } from '#shared/http/request/request-id.ts';

test.each(['a', 'A1._:-z', 'x'.repeat(128)])('%j is taken over', (sent) => {
  expect(chooseRequestId(sent)).toBe(sent);
});

test.each([undefined, '', 'x'.repeat(129), 'a b', 'a\nb', 'ñ', '{"a":1}', '<script>'])('%j is replaced', (sent) => {
  expect(chooseRequestId(sent)).toMatch(/^[0-9a-f-]{36}$/);
});
