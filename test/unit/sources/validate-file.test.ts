/** Bytes of files against their description: honest files of every kind, and wrong answers instead of a file. */
import { describe, expect, test } from 'vitest';
import { fileBytes } from '#shared/sources/procurement/sandbox/file-bytes.ts';
import { fitsSize } from '#shared/sources/procurement/sizes.ts';
import { fileFault } from '#shared/sources/truth/validate-file.ts';

const TYPE = 'application/octet-stream';
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const fault = (name: string, body: Uint8Array, contentType: string | null = TYPE, fits?: (n: number) => boolean) =>
  fileFault({ body, contentType }, { name, fits });
const made = (ending: string): Buffer =>
  fileBytes('990101-1-LE26', { nombre: `Bases.${ending}`, tipo: '', descripcion: '', kb: 3, fecha: '' }, 'anexo');

const HONEST: Readonly<Record<string, Buffer>> = {
  pdf: made('pdf'),
  docx: made('docx'),
  kml: made('kml'),
  dwg: made('dwg'),
  doc: latin1('\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1 and more'),
  png: latin1('\x89PNG\r\n\x1A\n....IEND....'),
  jpg: latin1('\xFF\xD8\xFF\xE0....\xFF\xD9'),
  gif: latin1('GIF89a....\x00;'),
  tiff: latin1('II*\0....'),
  bmp: latin1('BM\x08\0\0\0..'),
  rar: latin1('Rar!\x1A\x07\x01\x00'),
  gz: latin1('\x1F\x8B\x08'),
  rtf: latin1('{\\rtf1 text}\r\n'),
  xml: Buffer.from('\uFEFF<?xml version="1.0"?><acta>ñ</acta>'),
  svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>\n'),
  txt: Buffer.from('1 < 2; ñandú'),
  csv: Buffer.from('a;b\n1;2\n'),
  html: Buffer.from('<!DOCTYPE html><html></html>'),
  json: Buffer.from('{"a":1}\n'),
  xyz: latin1('\x00\x01\x02'),
};

describe('honest files pass', () => {
  test.each(Object.entries(HONEST))('%s', (ending, body) => {
    expect(fault(`Bases.${ending.toUpperCase()}`, body)).toBeUndefined();
  });

  test('a document with a password, an old document under a new ending, XML in 16 bits', () => {
    expect(fault('a.docx', HONEST.doc!)).toBeUndefined();
    expect(fault('a.doc', HONEST.docx!)).toBeUndefined();
    expect(fault('a.doc', HONEST.rtf!)).toBeUndefined();
    expect(fault('a.xml', Buffer.from('\uFEFF<?xml version="1.0"?><a/>', 'utf16le'))).toBeUndefined();
  });

  test('pictures and archives under the ending of another, a film after a picture, a page as a table of its size', () => {
    expect(fault('a.jpg', HONEST.png!)).toBeUndefined();
    expect(fault('a.zip', HONEST.rar!)).toBeUndefined();
    const film = Buffer.alloc(200_000, 'x');
    expect(fault('a.jpg', Buffer.concat([latin1('\xFF\xD8\xFF'), film, latin1('\xFF\xD9'), film]))).toBeUndefined();
    expect(fault('a.jpg', Buffer.concat([latin1('\xFF\xD8\xFF..\xFF\xD9'), film]))).toMatch(/to its end/);
    expect(fault('a.xls', HONEST.html!)).toMatch(/a page where/);
    expect(fault('a.xls', HONEST.html!, TYPE, () => true)).toBeUndefined();
    expect(fault('a.geojson', HONEST.json!)).toBeUndefined();
    expect(fault('a.dxf', latin1('AutoCAD Binary DXF\r\n\x1A\0'))).toBeUndefined();
  });

  test('a zip whose one entry any program can read', () => {
    const zip = made('docx');
    expect(zip.readUInt32LE(zip.length - 6)).toBe(zip.indexOf('PK\x01\x02', 0, 'latin1'));
    expect(zip.readUInt32LE(14)).toBe(zip.readUInt32LE(zip.indexOf('PK\x01\x02', 0, 'latin1') + 16));
  });
});

const JUNK: Readonly<Record<string, Buffer>> = {
  'no bytes': Buffer.alloc(0),
  'an error page': Buffer.from('\r\n<!-- x --><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN"><html></html>'),
  'a page that begins as XML': Buffer.from('<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml"></html>'),
  'a JSON answer': Buffer.from('{"message":"Endpoint request timed out"}'),
};

describe('other content instead of a file does not pass', () => {
  const endings = Object.keys(HONEST).filter((ending) => !['html', 'json'].includes(ending));
  test.each(endings.flatMap((ending) => Object.entries(JUNK).map(([what, body]) => [ending, what, body] as const)))(
    '%s: %s',
    (ending, _what, body) => expect(fault(`Bases.${ending}`, body)).toEqual(expect.any(String)),
  );

  test.each(['pdf', 'docx', 'png', 'jpg', 'gif', 'rtf', 'xml', 'svg', 'kml'])(
    'half a %s, or one cut before its end',
    (ending) => {
      const whole = HONEST[ending]!;
      for (const length of [Math.floor(whole.length / 2), whole.length - 9])
        expect(fault(`a.${ending}`, whole.subarray(0, length)), String(length)).toMatch(
          /does not go to its end|other bytes/,
        );
    },
  );

  const binary = ['pdf', 'docx', 'dwg', 'png', 'jpg', 'gif', 'tiff', 'bmp', 'rar', 'gz', 'rtf', 'svg', 'kml'];
  const families = [
    ['png', 'jpg', 'gif', 'tiff', 'bmp'],
    ['docx', 'rar'],
  ];
  const related = (one: string, other: string) => families.some((own) => own.includes(one) && own.includes(other));
  test.each(binary)('a %s under an ending of another family', (ending) => {
    for (const other of binary.filter((one) => one !== ending && !(related(ending, one) && one !== 'docx')))
      expect(fault(`a.${other}`, HONEST[ending]!), other).toBe(`other bytes where a ${other} file was expected`);
  });

  test('a page or a JSON answer only by its content type', () => {
    for (const type of ['text/html; charset=utf-8', 'application/json'])
      expect(fault('a.pdf', HONEST.pdf!, type)).toBe(`content type ${type.split(';')[0]}`);
    expect(fault('a.html', HONEST.html!, 'text/html')).toBeUndefined();
  });

  test('a file of another size than shown', () => {
    const fits = (bytes: number) => fitsSize('3 Kb', bytes);
    expect(fault('a.pdf', HONEST.pdf!, TYPE, fits)).toBeUndefined();
    expect(fault('a.pdf', made('pdf'), TYPE, (bytes) => fitsSize('5 Kb', bytes))).toMatch(/another size/);
  });
});

test.each([
  ['120 Kb', 120 * 1_024 - 1_024, true],
  ['120 Kb', 120 * 1_024 + 1_025, false],
  ['120 Kb', 119 * 1_000, true],
  ['3.675 KB', 3_675 * 1_024, true],
  ['3.675 KB', 3_600 * 1_024, false],
  ['3,6 Mb', 3_700_000, true],
  ['3,6 Mb', 3_000_000, false],
  ['0 Kb', 900, true],
  ['512 bytes', 512, true],
])('%s and %i bytes: %s', (shown, bytes, fits) => expect(fitsSize(shown, bytes)).toBe(fits));
