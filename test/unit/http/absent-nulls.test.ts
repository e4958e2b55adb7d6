/** Null in a connection's metadata is an absent property; it is no value for a required or unknown one. */
import { expect, test } from 'vitest';
import { judgeConnectionInput } from '#shared/http/request/connection-input.ts';
import { MANIFESTS } from '#shared/sources/manifests.gen.ts';

const PROCUREMENT = MANIFESTS.find(({ code }) => code === 'procurement')!;

test('an optional property that is null counts as absent', () => {
  const judged = judgeConnectionInput(PROCUREMENT, { metadata: { codigos: null }, credentials: { ticket: 'T' } });
  expect(judged).toMatchObject({ metadata: {}, credentials: { ticket: 'T' } });
  expect(judged.metadata).not.toHaveProperty('codigos');
});

test.each([
  [{ credentials: { ticket: null } }, 'credentials.ticket must be a string'],
  [{ metadata: { other: null } }, 'metadata.other is not a known property'],
])('%j is refused', (input, message) => {
  expect(() => judgeConnectionInput(PROCUREMENT, input)).toThrow(message);
});
