import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeText } from '#shared/sources/http/charset.ts';

const MARK = '\uFEFF';
/** The platform's decoder, with which both decoders are compared. */
const decoded = (bytes: Uint8Array): string => new TextDecoder('utf-8').decode(bytes);

describe('UTF-8', () => {
  test('is read as the platform reads it', () => {
    const text = fc.string({ unit: 'binary' }).map((each) => each.toWellFormed());
    fc.assert(
      fc.property(text, (each) => {
        expect(decodeText(Buffer.from(each))).toBe(decoded(Buffer.from(each)));
      }),
    );
  });

  test.each(['', 'a', 'ñ', '😀', MARK, `${MARK}Ñandú`, `${MARK}${MARK}x`, `x${MARK}`])('%j', (text) => {
    expect(decodeText(Buffer.from(text))).toBe(decoded(Buffer.from(text)));
  });

  test.each([8 * 1024 * 1024, 8 * 1024 * 1024 + 1])('of %i bytes', (bytes) => {
    const body = Buffer.alloc(bytes, 'ñ');
    body.write('x', bytes - (bytes % 2));
    expect(decodeText(body)).toBe(decoded(body));
  });
});

test('ISO-8859-1 is read as such, and a damaged byte of UTF-8 costs one character', () => {
  expect(decodeText(Buffer.from('Ñandú y Cía', 'latin1'))).toBe('Ñandú y Cía');
  expect(decodeText(Buffer.concat([Buffer.from('Ñandú '), Buffer.of(0xff), Buffer.from(' Cía')]))).toBe(
    'Ñandú \uFFFD Cía',
  );
});
