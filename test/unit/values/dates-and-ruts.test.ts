import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { addMonths, isRealDay, periodsBetween, santiagoDay, santiagoMidnight, ZONE } from '#shared/values/dates.ts';
import { normalizeRut, rutCheckDigit, splitRut } from '#shared/values/rut.ts';
import { santiagoInstant } from '#shared/values/wall-time.ts';
import { runs } from '#test/helpers/effort.ts';

describe('dates', () => {
  test('wall time in Santiago equals what the zone rules say, changes of the clocks included', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2017-01-01'), max: new Date('2030-12-31'), noInvalidDate: true }),
        fc.nat(23),
        fc.nat(59),
        fc.nat(59),
        (date, hour, minute, second) => {
          const day = date.toISOString().slice(0, 10);
          const expected = Temporal.PlainDateTime.from({
            ...{ year: Number(day.slice(0, 4)), month: Number(day.slice(5, 7)), day: Number(day.slice(8)) },
            hour,
            minute,
            second,
          }).toZonedDateTime(ZONE, { disambiguation: 'earlier' });
          // An hour that the clocks skip has no instant; everything else must agree to the second.
          const skipped = expected.hour !== hour;
          if (!skipped) expect(Date.parse(santiagoInstant(day, hour, minute, second))).toBe(expected.epochMilliseconds);
        },
      ),
      { numRuns: runs(2_000) },
    );
  });

  test('a day begins when the zone rules say, in every year that has documents', () => {
    for (let day = Temporal.PlainDate.from('2015-01-01'); day.year < 2035; day = day.add({ days: 1 })) {
      const begins = day.toZonedDateTime(ZONE).epochMilliseconds;
      expect(Date.parse(santiagoMidnight(String(day))), String(day)).toBe(begins);
      expect([santiagoDay(begins - 1) < santiagoDay(begins), santiagoDay(begins)]).toEqual([true, String(day)]);
    }
  });

  test('winter and summer offsets', () => {
    expect(santiagoInstant('2026-07-01', 12, 0, 0)).toBe('2026-07-01T16:00:00.000Z');
    expect(santiagoInstant('2026-11-21', 12, 0, 0)).toBe('2026-11-21T15:00:00.000Z');
    expect(santiagoDay(Date.parse('2026-11-21T02:59:59.000Z'))).toBe('2026-11-20');
  });

  test('months and days', () => {
    expect(addMonths('2026-01', -1)).toBe('2025-12');
    expect(addMonths('2026-11', 14)).toBe('2028-01');
    expect(periodsBetween('2026-11', '2026-10')).toEqual([]);
    expect(isRealDay('2026-02-29')).toBe(false);
    expect(isRealDay('2028-02-29')).toBe(true);
    expect(isRealDay('2026-2-1')).toBe(false);
  });
});

describe('RUT', () => {
  test('every spelling of a valid one is the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999 }), (n) => {
        const body = String(n);
        const check = rutCheckDigit(body);
        const plain = `${body}-${check}`;
        const dotted = `${n.toLocaleString('de-DE')}-${check.toLowerCase()}`;
        for (const spelling of [plain, dotted, `${body}${check}`, `00${body}${check}`])
          expect(normalizeRut(spelling)).toBe(plain);
        expect(splitRut(plain)).toEqual({ body, checkDigit: check });
      }),
    );
  });

  test('a wrong check digit is no RUT', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999 }), fc.constantFrom(...'0123456789K'), (n, digit) => {
        const body = String(n);
        fc.pre(rutCheckDigit(body) !== digit);
        expect(normalizeRut(`${body}-${digit}`)).toBeUndefined();
      }),
    );
    expect(normalizeRut('')).toBeUndefined();
    expect(normalizeRut('ABC')).toBeUndefined();
  });

  test.each(['RUT 12.345.678-5', 'x12345678-5', '12345678-5x', '12345678-5 y 3', '/12345678-5'])(
    'what precedes or follows one is not ignored: %s',
    (spelling) => {
      expect(normalizeRut('12.345.678-5')).toBe('12345678-5');
      expect(normalizeRut(spelling)).toBeUndefined();
    },
  );

  test('with more digits than a date has are invalid', () => {
    expect(normalizeRut('9912345678-5')).toBeUndefined();
  });

  test('the cast of the wire notes', () => {
    for (const rut of ['70000002-8', '70000001-K', '70000006-0', '70000003-6', '11111111-1'])
      expect(normalizeRut(rut)).toBe(rut);
  });
});
