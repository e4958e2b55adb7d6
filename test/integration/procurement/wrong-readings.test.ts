/**
 * The portal shows a tender rightly, then wrongly, then rightly again. The wrong reading changes no stored row and is
 * reported; a reading that stays wrong is believed 20 hours later.
 */
import { describe, expect, test } from 'vitest';
import type { Connection } from '#shared/connections/connection.rules.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { SANDBOX_CREDENTIALS } from '#shared/sources/procurement/sandbox/credentials.ts';
import { FILES_PER_PAGE } from '#shared/sources/procurement/sandbox/listing-pages.ts';
import { makeCode } from '#shared/sources/procurement/sandbox/tender.ts';
import type { SyncRun } from '#shared/sync/run.rules.ts';
import { findOwnFile } from '#shared/tenders/tender-file.store.ts';
import type { Lie } from '#test/fakes/liar.ts';
import { sampled } from '#test/helpers/effort.ts';
import type { Name } from '#test/helpers/procurement.ts';
import { inQuestions, liar, portal, useLyingPortal } from './lying-portal.ts';

const [WORKS] = SANDBOX_CREDENTIALS;
const HOUR_MS = 3_600_000;
const ACCENTS = /[À-ÿ°¿]/g;
type Damage = (letter: string) => string;
const DAMAGES = sampled<readonly [what: string, damage: Damage]>(
  [
    ['U+FFFD', () => '\uFFFD'],
    ['question marks', () => '?'],
    ['UTF-8 that was encoded twice', (letter) => Buffer.from(letter).toString('latin1')],
  ],
  3,
);

useLyingPortal();
let next = 0;

interface Stage {
  name: Name;
  codigo: string;
  connection: Connection;
  right: Row[];
}

const newTender = (): string => makeCode(WORKS!.unit, `2026-0${2 + Math.floor(next / 10)}`, next++ % 10);
const rowsOf = async ({ name, codigo }: Pick<Stage, 'name' | 'codigo'>): Promise<Row[]> =>
  (await portal.rows(name, codigo)).toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
const sync = ({ connection, codigo, name }: Pick<Stage, 'connection' | 'codigo' | 'name'>): Promise<SyncRun> =>
  portal.sync(connection, { codigos: [codigo] }, [name]);
const codesOf = (run: SyncRun, name: string): string[] =>
  run.outcomes[name]!.notices.map(({ code }) => code.replace(`procurement.${name}.`, ''));

/** Reads a tender that has enough rows of the scope, rightly and once. */
const begin = async (name: Name, isEnough: (rows: Row[]) => boolean = (rows) => rows.length >= 3): Promise<Stage> => {
  const connection = await portal.world.connect(WORKS!.credentials);
  for (;;) {
    const stage = { name, codigo: newTender(), connection };
    await sync(stage);
    const right = await rowsOf(stage);
    if (isEnough(right)) return { ...stage, right };
  }
};

const lieTo = async (stage: Stage, lie: Lie): Promise<string[]> => {
  liar.lie = lie;
  const run = await sync(stage);
  liar.lie = () => undefined;
  expect(run.status).toBe('succeeded');
  return codesOf(run, stage.name);
};

const expectUnchanged = async (stage: Stage): Promise<void> => {
  expect(await rowsOf(stage)).toEqual(stage.right);
  expect(await lieTo(stage, () => undefined)).toEqual([]);
  expect(await rowsOf(stage)).toEqual(stage.right);
};

const expectOnlyDamage = (codes: string[]): void =>
  expect(codes.filter((code) => code !== 'characters_damaged')).toEqual([]);

type Question = Record<string, unknown>;
const inPages =
  (part: string, change: (page: string) => string): Lie =>
  ({ url, body }) =>
    url.includes(part) && body.includes('</html>') ? change(body.toString()) : undefined;

describe('documents', () => {
  const findAlike = (rows: Row[]): Row[] => {
    const byName = Map.groupBy(rows, ({ origen, nombre, tipo, fecha_adjunto }) =>
      JSON.stringify([origen, nombre, tipo, fecha_adjunto]),
    );
    return [...byName.values()].find((same) => new Set(same.map(({ tamano }) => tamano)).size > 1) ?? [];
  };
  const areOnOnePage = (rows: Row[]): boolean =>
    rows.length === 2 && new Set(rows.map(({ locator }) => (locator as Row).page)).size === 1;
  const withoutPlace = (rows: Row[]): Row[] => rows.map(({ locator: _, ...row }) => row);

  test.each([
    ['the last row is cut off', 1],
    ['the row before it is cut off', 2],
  ])('two of one name and different sizes, %s: both stay', async (_, fromEnd) => {
    const stage = await begin('documentos', (rows) => areOnOnePage(findAlike(rows)));
    const row = /<tr class="cssFwkItemStyle">(?:(?!<\/tr>)[\s\S])*FileLength(?:(?!<\/tr>)[\s\S])*<\/tr>/g;
    const cutRow = (page: string): string => {
      const rows = page.match(row) ?? [];
      const [gone, last] = [rows.at(-fromEnd), rows.at(-1)];
      if (rows.length === FILES_PER_PAGE || gone === undefined || last === undefined) return page;
      // The controls of a page follow one another without a gap.
      const [from = '', to = ''] = [last, gone].map((each) => /ctl\d\d/.exec(each)?.[0]);
      return page.replace(gone, '').replace(last, last.replaceAll(from, to));
    };
    expect(await lieTo(stage, inPages('ViewAttachment', cutRow))).toEqual(['rows_kept']);
    // The locator of the document that is left names its new place on the page.
    expect(withoutPlace(await rowsOf(stage))).toEqual(withoutPlace(stage.right));
    await sync(stage);
    await expectUnchanged(stage);
    const owner = { organizationId: portal.world.organizationId, connectionId: stage.connection.id };
    for (const { id } of findAlike(stage.right)) expect(await findOwnFile(owner, String(id))).toBeDefined();
  });

  test('two of one name without sizes and with different files, one is cut off: both stay', async () => {
    const isAntecedente = ({ origen }: Row): boolean => origen === 'antecedente';
    const findSame = (rows: Row[]): Row[] => rows.filter(({ documento_id: id }) => /-2$/.test(String(id)));
    const stage = await begin('documentos', (rows) => findSame(rows.filter(isAntecedente)).length > 0);
    const row = /<tr class="cssFwkItemStyle">(?:(?!<\/tr>)[\s\S])*SourceFileName(?:(?!<\/tr>)[\s\S])*<\/tr>/g;
    const cutLast = (page: string): string => page.replace(page.match(row)?.at(-1) ?? '', '');
    expect(await lieTo(stage, inPages('', cutLast))).toEqual(['rows_kept']);
    await expectUnchanged(stage);
    const owner = { organizationId: portal.world.organizationId, connectionId: stage.connection.id };
    for (const { id } of findSame(stage.right)) expect(await findOwnFile(owner, String(id))).toBeDefined();
  });

  test.each(DAMAGES)('names damaged by %s make no new documents', async (_, damage) => {
    const stage = await begin('documentos');
    expectOnlyDamage(
      await lieTo(
        stage,
        inPages('Attachment', (page) => page.replaceAll(ACCENTS, damage)),
      ),
    );
    await expectUnchanged(stage);
  });

  test('all of a listing under other dates are not stored, and are believed 20 hours later', async () => {
    const isAnexo = ({ origen }: Row): boolean => origen === 'anexo';
    const stage = await begin('documentos', (rows) => rows.filter(isAnexo).length >= 3);
    const lie = inPages('ViewAttachment', (page) => page.replaceAll(/(AtcDateTime">\d\d?-\d\d?-)\d{4}/g, '$12035'));
    expect(await lieTo(stage, lie)).toEqual(['rows_doubted']);
    await expectUnchanged(stage);
    expect(await lieTo(stage, lie)).toEqual(['rows_doubted']);
    portal.world.advance(19 * HOUR_MS);
    expect(await lieTo(stage, lie)).toEqual(['rows_doubted']);
    expect(await rowsOf(stage)).toEqual(stage.right);
    portal.world.advance(2 * HOUR_MS);
    expect(await lieTo(stage, lie)).toEqual(['rows_kept']);
    expect(await rowsOf(stage)).toHaveLength(stage.right.length + stage.right.filter(isAnexo).length);
  });
});

describe('questions', () => {
  const hasAnswers = (rows: Row[]): boolean => rows.filter(({ respuesta }) => respuesta !== null).length >= 3;
  const answerAs = (row: Question, Descripcion: string): Question =>
    row.RespuestaPublicada === null
      ? row
      : { ...row, RespuestaPublicada: { ...(row.RespuestaPublicada as Question), Descripcion } };

  test.each<[string, (list: Question[]) => Question[], string[]]>([
    ['padded with zeros', (list) => list.map((row) => ({ ...row, Numero: `000${row.Numero}` })), []],
    ['new', (list) => list.map((row, at) => ({ ...row, Numero: 900_000 + at })), []],
    [
      'all the same',
      (list) => list.map((row) => ({ ...row, Numero: 7 })),
      ['rows_repeated', 'questions_differ', 'numbers_missing'],
    ],
    ['rotated', (list) => list.map((row, at) => ({ ...row, Numero: list[(at + 1) % list.length]!.Numero })), []],
  ])('under ids that are %s are the stored questions', async (_, change, codes) => {
    const stage = await begin('preguntas');
    expect(codes).toEqual(expect.arrayContaining(await lieTo(stage, inQuestions(change))));
    await expectUnchanged(stage);
  });

  test('of another tender are not stored; a right reading ends the doubt', async () => {
    const stage = await begin('preguntas');
    const lie = inQuestions((list) =>
      list.map((row, at) => ({ ...row, Numero: 700_000 + at, Descripcion: `De otra licitación ${at}` })),
    );
    expect(await lieTo(stage, lie)).toEqual(['rows_doubted']);
    expect(await rowsOf(stage)).toEqual(stage.right);
    portal.world.advance(12 * HOUR_MS);
    await expectUnchanged(stage);
    portal.world.advance(12 * HOUR_MS);
    expect(await lieTo(stage, lie)).toEqual(['rows_doubted']);
    portal.world.advance(21 * HOUR_MS);
    expect(await lieTo(stage, lie)).toEqual(['rows_kept']);
    expect(await rowsOf(stage)).toHaveLength(2 * stage.right.length);
  });

  test.each<[string, Lie]>([
    ['answers', inQuestions((list) => list.map((row) => answerAs(row, 'corta')))],
    ['texts', inQuestions((list) => list.map((row) => ({ ...row, Descripcion: 'otra' })))],
    ['dates', inQuestions((list) => list.map((row) => ({ ...row, FechaHora: '02-01-2026 10:00:00' })))],
  ])('%s of all that change at once are requested again, kept, and believed later', async (_, lie) => {
    const stage = await begin('preguntas', hasAnswers);
    let requests = 0;
    const counted: Lie = (context) => {
      if (context.url.includes('servicesPub')) requests++;
      return lie(context);
    };
    expect(await lieTo(stage, counted)).toEqual(['facts_changed']);
    expect(requests).toBe(2);
    await expectUnchanged(stage);
    await lieTo(stage, lie);
    portal.world.advance(20 * HOUR_MS);
    expect(await lieTo(stage, lie)).toEqual(['facts_corrected']);
    expect(await rowsOf(stage)).not.toEqual(stage.right);
    expect(await lieTo(stage, lie)).toEqual([]);
  });

  test('one answer that changes is stored and counted', async () => {
    const stage = await begin('preguntas', hasAnswers);
    const at = stage.right.findIndex(({ respuesta }) => respuesta !== null);
    const other: Row = { ...stage.right[at], respuesta: 'Otra respuesta.' };
    const lie = inQuestions((list) =>
      list.map((row) => (String(row.Numero) === other.pregunta_id ? answerAs(row, 'Otra respuesta.') : row)),
    );
    expect(await lieTo(stage, lie)).toEqual(['facts_corrected']);
    expect(await rowsOf(stage)).toEqual(stage.right.with(at, other));
  });

  test.each(DAMAGES)('texts damaged by %s change nothing', async (_, damage) => {
    const stage = await begin('preguntas');
    const damaged = (list: Question[]): Question[] => JSON.parse(JSON.stringify(list).replaceAll(ACCENTS, damage));
    expectOnlyDamage(await lieTo(stage, inQuestions(damaged)));
    await expectUnchanged(stage);
  });
});

describe('offers', () => {
  const TOTALS = /(TotalOferta">)([^<]+)/g;

  test('totals that are exchanged between all suppliers are kept, and believed later', async () => {
    const stage = await begin('ofertas', (rows) => new Set(rows.map((row) => row.total_oferta)).size >= 3);
    const lie = inPages('SupplySummary', (page) => {
      const shown = [...page.matchAll(TOTALS)].map(([, , total = '']) => total);
      let at = 0;
      return page.replaceAll(TOTALS, (_, before: string) => `${before}${shown[++at % shown.length]}`);
    });
    expect(await lieTo(stage, lie)).toEqual(['facts_changed']);
    await expectUnchanged(stage);
    await lieTo(stage, lie);
    portal.world.advance(20 * HOUR_MS);
    expect(await lieTo(stage, lie)).toEqual(['facts_corrected']);
  });

  test.each(DAMAGES)('names damaged by %s make no new offer and no new document', async (_, damage) => {
    const stage = await begin('ofertas', (rows) => rows.some((row) => JSON.stringify(row).match(ACCENTS)));
    const names = /(_(?:File|GvLblSuppliesName|GvLblProvider)"[^>]*>)([^<]*)/g;
    const lie = inPages('', (page) =>
      page.replaceAll(names, (__, before: string, text: string) => before + text.replaceAll(ACCENTS, damage)),
    );
    expectOnlyDamage(await lieTo(stage, lie));
    await expectUnchanged(stage);
  });
});
