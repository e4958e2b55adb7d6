/**
 * Hostile answers: each piece is repeated n and 2n times and given to each reader of institutions' text. A reader is
 * linear if twice the input takes at most 2.5 times the time.
 */

import { hasSelects, readAccountsPage } from '#shared/sources/bankthree/accounts-page.ts';
import { readSigns } from '#shared/sources/bankthree/page-signs.ts';
import { decodeText } from '#shared/sources/http/charset.ts';
import { seePage } from '#shared/sources/http/html.ts';
import { createRedactor } from '#shared/sources/http/redactor.ts';
import { readFiles } from '#shared/sources/procurement/grids.ts';
import { parseJson } from '#shared/sources/procurement/json.ts';
import { linksIn, openPage, tidy } from '#shared/sources/procurement/page.ts';
import { cleanProse } from '#shared/sources/procurement/prose.ts';
import { redact } from '#shared/sources/tax/app-codes.ts';
import { readCsv } from '#shared/sources/tax/csv-lines.ts';
import { closedDoor } from '#shared/sources/tax/page-signs.ts';

const TIMES_MAX = 2.5;
/** Below this time, the measurement shows the clock and the garbage collector, not the reader. */
const MS_MIN = 8;
const BYTES = 100_000;
const ROUNDS = 3;

const PIECES: Readonly<Record<string, string>> = {
  'nested tags': '<b>',
  'tags closed that are not open': '<p></x></b>',
  'unfinished tags': '<a ',
  'beginnings of comments': '<!--',
  'beginnings of alerts': 'alert("',
  'alerts and blanks': `alert("x"   `,
  'addresses that lead on': 'location.href = ',
  blanks: ' ',
  'blanks and a letter': '        x',
  returns: '\r',
  'loose accents': '\u0315\u0300',
  'ends of pages': '</html> ',
  entities: '&amp',
  letters: 'a',
  digits: '12345.',
  links: 'View.aspx?a',
  quotes: '"',
  semicolons: ';',
  brackets: '[',
  inputs: '<input name="DWNL$grdId$ctl02$search"><i id="x_File">',
};

const tryTo = (work: () => unknown): void => {
  try {
    work();
  } catch {
    // A refusal counts like a reading.
  }
};

const answer = (text: string) => ({
  status: 200,
  headers: {},
  contentType: null,
  body: Buffer.from(text),
  text: () => text,
  visited: [],
});

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'http text': (text) => decodeText(Buffer.from(text)),
  'http page': seePage,
  'http redactor': (text) => {
    const names = ['clave', 'a'];
    const values = ['4711', 'F8537A18-6766-4DEF-9E59-426B4FEE2844'];
    const redactor = createRedactor({ credentials: values.map((value) => ({ value, names })) });
    redactor.sees('rut=1-9&a=4711');
    // A cookie that consists of the page's letters and is as long as a header may be.
    redactor.learns(`${text.slice(0, 4_000)}1`, 'SESION');
    redactor.learns(`${'a'.repeat(4_000)}1`);
    return redactor.withoutSecrets(Buffer.from(text));
  },
  'tax page signs': (text) => closedDoor('page', answer(`<${text}`)),
  'tax message': redact,
  'tax csv': (text) => [...readCsv(`a;b\n${text}`, { answer: 'x', row: 0 } as never).lines],
  'bankthree page signs': (text) => readSigns(Buffer.from(text)),
  'bankthree accounts': (text) => hasSelects(Buffer.from(text)),
  'bankthree account label': (text) =>
    readAccountsPage(
      Buffer.from(`<select name="fecha"></select><select name="cuenta"><option value="1">${text} x</select>`),
    ),
  'procurement page': (text) => openPage(Buffer.from(text)),
  'procurement files': (text) => readFiles(openPage(Buffer.from(text)), 'DWNL', 1, 'files'),
  'procurement links': (text) => linksIn({ href: text }, 'View.aspx', 'https://x.cl/'),
  'procurement text': (text) => tidy(`${text}\n${text}`),
  'procurement prose': (text) => cleanProse(`&${text}`),
  'procurement json': (text) => parseJson(Buffer.from(text)),
};

const shortest = (work: () => unknown): number => {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const from = process.cpuUsage();
    tryTo(work);
    const { user, system } = process.cpuUsage(from);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
};

interface Measured {
  once: number;
  twice: number;
}

const growsFaster = ({ once, twice }: Measured): boolean =>
  twice > MS_MIN && twice > TIMES_MAX * Math.max(once, MS_MIN / 2);

/** Measured again if it looks slow: a quadratic reader is slow each time, a busy machine is not. */
const MEASURES_MAX = 3;

const measured = (read: (text: string) => unknown, text: string): Measured => {
  for (let n = 1; ; n++) {
    const times = { once: shortest(() => read(text)), twice: shortest(() => read(text + text)) };
    if (n === MEASURES_MAX || !growsFaster(times)) return times;
  }
};

/** Readers that take more than linear time; empty if every reader is linear. */
export const hostileAnswers = (): { slow: string[]; slowest: { name: string; ms: number } } => {
  const slow: string[] = [];
  let slowest = { name: '', ms: 0 };
  for (const [reader, read] of Object.entries(READERS)) {
    for (const [what, piece] of Object.entries(PIECES)) {
      const text = piece.repeat(BYTES / piece.length);
      const times = measured(read, text);
      const { once, twice } = times;
      const name = `${reader}: ${what}`;
      if (twice > slowest.ms) slowest = { name, ms: Math.round(twice) };
      if (growsFaster(times)) slow.push(`${name}: ${once.toFixed(1)} ms, twice the input ${twice.toFixed(1)} ms`);
    }
  }
  return { slow, slowest };
};
