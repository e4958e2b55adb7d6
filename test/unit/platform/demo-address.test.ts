/** A session is never sent to an address that could be overheard. */
import { expect, test } from 'vitest';
import { apiAddress } from '#tools/local/demo/deployed-stack.ts';

test('takes an https address, or this machine, with or without a slash at its end', () => {
  expect(apiAddress('https://abc.execute-api.us-east-1.amazonaws.com/api/')).toBe(
    'https://abc.execute-api.us-east-1.amazonaws.com/api',
  );
  expect(apiAddress('http://127.0.0.1:3000/api')).toBe('http://127.0.0.1:3000/api');
});

test.each(['http://example.com/api', 'http://127.0.0.1.example.com/api', 'ftp://127.0.0.2/api', 'example.com', ''])(
  'refuses %s',
  (address) => {
    expect(() => apiAddress(address)).toThrow('--api must be an https URL');
  },
);
