/** Wrong answers of a portal to file requests: only the right file is passed on, and every other answer is reported. */
import { beforeAll, describe, expect, test } from 'vitest';
import { source } from '#shared/sources/procurement/source.ts';
import type { FetchedFile, WantedFile } from '#shared/sources/source.ts';
import type { Lie, RequestContext } from '#test/fakes/liar.ts';
import { sampled } from '#test/helpers/effort.ts';
import { createIo } from './ask.ts';
import {
  behaving,
  checkedRows,
  clock,
  liar,
  pull,
  requestOf,
  type Scope,
  useLiar,
  useSandbox,
  wantedOf,
} from './procurement-stage.ts';

useSandbox();
useLiar();

const ENTRY = behaving('works');
const CODIGO = ENTRY.metadata.codigos![1]!;
const SCOPES: Scope[] = ['documentos', 'ofertas'];

const wanted = new Map<Scope, WantedFile[]>();
beforeAll(async () => {
  for (const scope of SCOPES)
    wanted.set(scope, wantedOf(scope, checkedRows(scope, (await pull(scope, ENTRY, CODIGO)).rows)));
});

const fetched = async (scope: Scope, files = wanted.get(scope)!): Promise<FetchedFile[]> => {
  const got: FetchedFile[] = [];
  for await (const file of source.tenders!.files(requestOf(scope, ENTRY, CODIGO), files, {}, createIo(liar.url, clock)))
    got.push(file);
  return got;
};

const isFile = ({ headers }: RequestContext): boolean => /attachment/.test(headers['content-disposition'] ?? '');
/** Changes every file, or one in `every`. */
const inFiles = (lie: Lie, every = 1): Lie => {
  let files = 0;
  return (context) => (isFile(context) && files++ % every === 0 ? lie(context) : undefined);
};

const PAGE = '<!DOCTYPE html><html><body>Ha ocurrido un error inesperado.</body></html>';
const inPlace =
  (body: string, type: string): Lie =>
  (context) => {
    context.headers = { 'content-type': type };
    return body;
  };

/** A whole picture of the same size. */
const pictureOf = ({ body }: RequestContext): Buffer => {
  const picture = Buffer.alloc(body.length, 'IEND');
  picture.write('\x89PNG\r\n\x1A\n', 'latin1');
  return picture;
};

const JUNK: Readonly<Record<string, Lie>> = {
  '0 bytes': () => '',
  'an error page': inPlace(PAGE, 'text/html'),
  'an error page sent as a file': () => PAGE,
  'a JSON answer': inPlace('{"message":"Endpoint request timed out"}', 'application/json'),
  'a JSON answer sent as a file': () => '{"Codigo":500,"Mensaje":"Error"}',
  'half of the file': ({ body }) => body.subarray(0, body.length / 2),
  'bytes of another kind': ({ body }) => Buffer.alloc(body.length, '\0'),
  'a picture by another name': (context) => {
    context.headers['content-disposition'] = 'attachment; filename="descarga.png"';
    return pictureOf(context);
  },
  'a picture of another size': (context) => Buffer.concat([pictureOf(context), Buffer.alloc(3_000, 'IEND')]),
};

describe.each(SCOPES)('%s', (scope) => {
  test('honest files come, each of the size and kind that its row says', async () => {
    const files = await fetched(scope);
    expect(files).toHaveLength(wanted.get(scope)!.length);
    for (const file of files) expect('body' in file && file.proof).toBeTruthy();
  });

  test.each(sampled(Object.entries(JUNK), 3))('%s: never handed on', async (_what, lie) => {
    liar.lie = inFiles(lie);
    const files = await fetched(scope);
    expect(files).toHaveLength(wanted.get(scope)!.length);
    for (const file of files)
      expect(file).toEqual({
        notice: {
          code: `procurement.${scope}.file_unavailable`,
          message: expect.stringMatching(/ came|was expected|content type|to its end|instead of the file|another size/),
          params: expect.objectContaining({ tender: CODIGO }),
        },
      });
  });

  test('a file cut before its end is known by its size or by its end', async () => {
    liar.lie = inFiles(({ body }) => body.subarray(0, Math.max(0, 0.9 * body.length - 2_100)));
    // A drawing has no end mark, and the second listing shows no size.
    const telling = wanted.get(scope)!.filter(({ name, locator }) => locator.size !== null || !name?.endsWith('.dwg'));
    expect(telling.length).toBeGreaterThan(3);
    for (const file of await fetched(scope, telling)) expect('notice' in file).toBe(true);
  });

  test('another file of the same listing, with its own name', async () => {
    let first: RequestContext | undefined;
    liar.lie = inFiles((context) => {
      first ??= context;
      context.headers = first.headers;
      return first.body;
    });
    const [own, ...others] = await fetched(scope);
    expect(own && 'body' in own).toBe(true);
    const twins = new Set(
      wanted.get(scope)!.filter(({ name, locator }) => name === wanted.get(scope)![0]!.name && locator.size !== null),
    );
    expect(others.filter((file) => 'body' in file).length).toBeLessThanOrEqual(twins.size);
  });

  test('names as mail writes them are no other names', async () => {
    liar.lie = inFiles((context) => {
      context.headers['content-disposition'] = 'attachment; filename="=?utf-8?B?QXJjaGl2byBkZXNjYXJnYWRv?="';
    });
    for (const file of await fetched(scope)) expect('body' in file).toBe(true);
  });

  test('whole files of another kind than their names say: if size and header agree they are stored, and reported', async () => {
    liar.lie = inFiles(pictureOf);
    const files = await fetched(scope);
    const named = wanted.get(scope)!.filter(({ locator }) => locator.size !== null);
    const stored = files.filter((file) => 'body' in file);
    expect(stored).toHaveLength(named.length);
    const message = expect.stringMatching(/ is a png file by its bytes/);
    for (const { warning } of stored)
      expect(warning).toMatchObject({ code: `procurement.${scope}.file_renamed`, message, params: { tender: CODIGO } });
  });

  test('junk once: the file is requested again, and stored', async () => {
    liar.lie = inFiles(() => '', 2);
    for (const file of await fetched(scope)) expect('body' in file).toBe(true);
  });
});

test('a file that is XML, without a word that it is an attachment, is fetched', async () => {
  const kml = [...wanted.values()].flat().filter(({ name }) => name?.endsWith('.kml'));
  expect(kml.length).toBeGreaterThan(0);
  liar.lie = inFiles((context) => {
    context.headers = { 'content-type': 'application/xml' };
  });
  for (const scope of SCOPES) {
    const own = wanted.get(scope)!.filter(({ name }) => name?.endsWith('.kml'));
    for (const file of await fetched(scope, own)) expect('body' in file).toBe(true);
  }
});

describe('a portal that fails', () => {
  const failing = (from: number, status: number): Lie => {
    let files = 0;
    return (context) => {
      if (!isFile(context) || ++files < from) return undefined;
      context.status = status;
      return 'x';
    };
  };

  test('three in a row: the others are not requested, and reported in one notice', async () => {
    liar.lie = failing(2, 500);
    const files = await fetched('documentos');
    const left = wanted.get('documentos')!.length - 4;
    expect(files).toHaveLength(5);
    expect('body' in files[0]!).toBe(true);
    expect(files.at(-1)).toEqual({
      notice: {
        code: 'procurement.documentos.file_unavailable',
        message: `${CODIGO}: 3 files in a row failed; ${left} others were not asked for.`,
        params: { tender: CODIGO, count: 3 + left },
      },
    });
  });

  test('a firewall: reported as such', async () => {
    liar.lie = failing(2, 403);
    const files = await fetched('documentos');
    expect(files).toHaveLength(2);
    expect(files[1]).toMatchObject({ notice: { code: 'procurement.documentos.blocked' } });
  });
});
