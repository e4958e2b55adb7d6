/** The portal shows a tender's own data rightly, and then with a wrong state, wrong dates or damaged texts. */
import { describe, expect, test } from 'vitest';
import type { Connection } from '#shared/connections/connection.rules.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { SANDBOX_CREDENTIALS } from '#shared/sources/procurement/sandbox/credentials.ts';
import { makeCode } from '#shared/sources/procurement/sandbox/tender.ts';
import type { Lie } from '#test/fakes/liar.ts';
import { liar, portal, useLyingPortal } from './lying-portal.ts';

const [WORKS] = SANDBOX_CREDENTIALS;
const ACCENTS = /[À-ÿ°¿]/g;
const DAMAGES: readonly (readonly [what: string, damage: (letter: string) => string])[] = [
  ['U+FFFD', () => '\uFFFD'],
  ['question marks', () => '?'],
  ['UTF-8 that was encoded twice', (letter) => Buffer.from(letter).toString('latin1')],
];

useLyingPortal();
let next = 0;
const newTender = (): string => makeCode(WORKS!.unit, '2026-02', next++);

describe('a tender', () => {
  const CODES: Readonly<Record<string, number>> = { Publicada: 5, Adjudicada: 8 };
  const showing =
    (Estado: string, dates: Row = {}): Lie =>
    ({ url, body }) => {
      if (!url.includes('licitaciones.json')) return undefined;
      const answer = JSON.parse(body.toString().replace(/^\uFEFF/, ''));
      const [item] = answer.Listado;
      if (!item) return undefined;
      Object.assign(item, { Estado, CodigoEstado: CODES[Estado], Fechas: { ...item.Fechas, ...dates } });
      return JSON.stringify(answer);
    };
  const lieOnce = async (connection: Connection, codigo: string, lie: Lie): Promise<string[]> => {
    liar.lie = lie;
    const run = await portal.sync(connection, { codigos: [codigo] }, ['licitaciones']);
    expect(run.status).toBe('succeeded');
    return run.outcomes.licitaciones!.notices.map(({ code }) => code.replace('procurement.licitaciones.', ''));
  };

  test('that goes back from its award to its publication is reported', async () => {
    const [connection, codigo] = [await portal.world.connect(WORKS!.credentials), newTender()];
    expect(await lieOnce(connection, codigo, showing('Publicada'))).toEqual([]);
    expect(await lieOnce(connection, codigo, showing('Adjudicada'))).toEqual([]);
    expect(await lieOnce(connection, codigo, showing('Publicada'))).toEqual(['state_reversed']);
    expect(await lieOnce(connection, codigo, showing('Publicada'))).toEqual([]);
  });

  test('that closes before its publication is reported', async () => {
    const [connection, codigo] = [await portal.world.connect(WORKS!.credentials), newTender()];
    const dates = { FechaPublicacion: '2026-03-02T10:00:00', FechaCierre: '2001-03-02T10:00:00' };
    expect(await lieOnce(connection, codigo, showing('Publicada', dates))).toEqual(['dates_reversed']);
  });
});

test.each(DAMAGES)('the name and the record of a tender damaged by %s change nothing', async (_, damage) => {
  const connection = await portal.world.connect(WORKS!.credentials);
  const codigo = newTender();
  const run = () => portal.sync(connection, { codigos: [codigo] }, ['licitaciones']);
  await run();
  const { observed_at: _at, ...right } = (await portal.ficha(codigo)).body.data;
  liar.lie = ({ url, body }) =>
    url.includes('licitaciones.json') ? body.toString().replaceAll(ACCENTS, damage) : undefined;
  const lied = await run();
  expect([lied.status, lied.outcomes.licitaciones!.recordsUpdated]).toEqual(['succeeded', 0]);
  expect((await portal.ficha(codigo)).body.data).toMatchObject(right);
});
