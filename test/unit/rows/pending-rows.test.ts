/** Pending rows are read back exactly as they were stored. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { newRow } from '#shared/rows/item/row-items.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import { collectRows } from '#shared/rows/write/pending-rows.ts';
import { bankoneNominas } from '#shared/scopes/bankone-nominas.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { type Random, randomFrom } from '#test/helpers/random.ts';
import { ROW_MAKERS } from '#test/helpers/scope-rows.ts';

const CONNECTION = randomUUID();

/** Texts that careless packing would damage: line ends, other scripts, halves of a character. */
const ODD = ['a\nb\r\n', 'ÑANDÚ \u2028', '{"a":[1]}', '\ud83d\ude00', '\ud83d', '', '\u0000'];

const document = (random: Random, n: number) =>
  newRow(CONNECTION, taxRcv, {
    row: ROW_MAKERS['tax.rcv']!(random, '2026-10', n),
    raw: { Folio: String(n), Texto: random.pick(ODD), Lista: [random.pick(ODD), null] },
    answerId: `answer-${random.int(1, 3)}`,
  });

describe('rows that wait', () => {
  test('are read back as they were stored, for any selection in any order', () => {
    const random = randomFrom(11);
    const added = Array.from({ length: 300 }, (_, n) => document(random, n));
    const together = added.reduce((sum, { row, raw }) => sum + JSON.stringify(row).length + raw.length, 0);
    expect(together).toBeGreaterThan(2 * ROW_LIMITS.waitingBlockChars);
    const rows = collectRows();
    for (const row of added) rows.add(row);
    const waiting = rows.done();
    expect(waiting.open(waiting.list)).toEqual(added);
    const some = Array.from({ length: 50 }, () => random.int(0, added.length - 1));
    expect(waiting.open(some.map((n) => waiting.list[n]!))).toEqual(some.map((n) => added[n]!));
  });

  test('a row that comes twice counts once, as it was read last', () => {
    const random = randomFrom(12);
    const rows = collectRows();
    const [early, other] = [document(random, 1), document(random, 2)];
    const late = { ...early, hash: 'another', row: { ...early.row, total_amount: '7' }, raw: '{"Folio":"1","x":1}' };
    for (const row of [early, other, late]) rows.add(row);
    const waiting = rows.done();
    expect(waiting.list.map(({ id, hash }) => [id, hash])).toEqual([
      [early.id, 'another'],
      [other.id, other.hash],
    ]);
    expect(waiting.open(waiting.list)).toEqual([late, other]);
  });

  test('what belongs to a row waits with it, and a field that the answer did not carry stays absent', () => {
    const random = randomFrom(13);
    const pagos = [{ linea: 1 }, { linea: 2 }];
    const nomina = { ...ROW_MAKERS['bankone.nominas']!(random, '2026-10', 1), pagos };
    const bare = { ...ROW_MAKERS['tax.rcv']!(random, '2026-10', 1), referenced_folio: undefined };
    const rows = collectRows();
    rows.add(newRow(CONNECTION, bankoneNominas, { row: nomina, raw: {}, answerId: 'answer' }));
    rows.add(newRow(CONNECTION, taxRcv, { row: bare, raw: {}, answerId: 'answer' }));
    const waiting = rows.done();
    const [withParts, without] = waiting.open(waiting.list);
    expect(withParts!.childRows).toEqual(pagos);
    expect(without!.childRows).toBeNull();
    expect(without!.row.referenced_folio).toBeUndefined();
  });
});
