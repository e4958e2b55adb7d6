/** Twenty differences planted into the answers of simulated institutions: each is named. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plantClock } from '#shared/platform/clock.ts';
import type { SandboxServer } from '#shared/sources/sandbox-kit/server.ts';
import { type Liar, type Lie, startLiar } from '#test/fakes/liar.ts';
import { loadSources } from '#test/helpers/source-folders.ts';
import { compareReport } from '#tools/contact/compare.ts';
import { ExpectationSchema } from '#tools/contact/expectation.ts';
import { expectationFile } from '#tools/contact/institution.ts';
import { visitSandbox } from '#tools/contact/record.ts';

const NOW_MS = Date.parse('2026-11-20T15:00:00Z');

/** Changes the text of answers whose address contains `part`. */
const rewrite =
  (part: string, change: (text: string) => string): Lie =>
  ({ url, body }) =>
    url.includes(part) ? Buffer.from(change(body.toString('latin1')), 'latin1') : undefined;
const replace = (part: string, from: RegExp | string, to: string): Lie =>
  rewrite(part, (text) => text.replaceAll(from, to));
/** Changes status or headers. */
const turn =
  (part: string, change: Partial<{ status: number; type: string; location: string }>): Lie =>
  (context) => {
    if (!context.url.includes(part)) return undefined;
    context.status = change.status ?? context.status;
    if (change.type) context.headers['content-type'] = change.type;
    if (change.location) context.headers.location = change.location;
    return undefined;
  };

interface Planted {
  name: string;
  lie: Lie;
  /** Found in one of the lines. */
  named: RegExp;
}

const GATE =
  '<html><head><script src="https://www.google.com/recaptcha/enterprise.js"></script></head><body></body></html>';

const PLANTED: Readonly<Record<string, readonly Planted[]>> = {
  tax: [
    {
      name: 'a renamed key',
      lie: replace('getDetalleCompra', /"detFchDoc"/g, '"detFechaDoc"'),
      named: /missing field: .*detFchDoc/,
    },
    {
      name: 'its new name',
      lie: replace('getDetalleCompra', /"detFchDoc"/g, '"detFechaDoc"'),
      named: /new field: .*detFechaDoc \(moment/,
    },
    {
      name: 'a new key',
      lie: replace('getDetalleVenta', '"detNroDoc"', '"detMoneda":"CLP","detNroDoc"'),
      named: /new field: .*detMoneda \(text\)/,
    },
    {
      name: 'another form of dates',
      lie: replace('getDetalleCompra', /"(\d\d)\/(\d\d)\/(\d{4})"/g, '"$3-$2-$1"'),
      named: /detFchDoc: moment 9999-99-99; known: moment 99\/99\/9999/,
    },
    {
      name: 'a number as text',
      lie: replace('getDetalleVenta', /"detMntTotal":(\d+)/g, '"detMntTotal":"$1"'),
      named: /detMntTotal: integer; known: number/,
    },
    {
      name: 'a null that the page never shows',
      lie: replace('getDetalleVenta', /"detNroDoc":\d+/g, '"detNroDoc":null'),
      named: /detNroDoc: null; known: number/,
    },
    { name: 'another status', lie: turn('getResumen', { status: 500 }), named: /getResumen: status 500/ },
    {
      name: 'another content type',
      lie: turn('getDetalleVenta', { type: 'text/plain' }),
      named: /getDetalleVenta: content type text\/plain/,
    },
    {
      name: 'a page in place of data',
      lie: rewrite('getDetalleCompra', () => '<html><body>Acceso Denegado</body></html>'),
      named: /the answer is page with the sign "access denied"/,
    },
    {
      name: 'another address after the logout',
      lie: turn('autTermino.cgi', { location: 'https://www.sii.cl/adios.html' }),
      named: /redirect to www\.sii\.cl\/adios\.html/,
    },
  ],
  bankone: [
    {
      name: 'amounts with comma',
      lie: replace('transferencias/consultar', /"monto":"(\d+)(?:\.\d+)?"/g, '"monto":"$1,00"'),
      named: /monto: decimal with comma/,
    },
    {
      name: 'a list under another name',
      lie: replace('transferencias/consultar', '"transferencias"', '"operaciones"'),
      named: /new field: operaciones/,
    },
    {
      name: 'an empty text',
      lie: replace('empresa/cuentas', /"moneda":"[A-Z]+"/g, '"moneda":""'),
      named: /moneda: empty; known: text/,
    },
    {
      name: 'a key that is sometimes missing',
      lie: rewrite('cartolas/detalle', (text) => text.replace(/"fecha":"[^"]*",/, '')),
      named: /field that is sometimes missing: .*fecha/,
    },
  ],
  banktwo: [
    {
      name: 'days as one number',
      lie: replace('transactions', /"transactionDate":"(\d{4})-(\d\d)-(\d\d)"/g, '"transactionDate":"$1$2$3"'),
      named: /transactionDate: integer/,
    },
    { name: 'a wrapped answer', lie: rewrite('/balances', (text) => `{"data":${text}}`), named: /new part: data/ },
  ],
  bankthree: [
    {
      name: 'a renamed column',
      lie: replace('saldos_csv', 'SALDO CONTABLE', 'SALDO ACTUAL'),
      named: /new field: line\.SALDO ACTUAL/,
    },
    {
      name: 'longer lines',
      lie: rewrite('cartola_txt', (text) => text.replace(/(?<=.)(\r?\n)/g, 'X$1')),
      named: /new part: line of 110 characters/,
    },
  ],
  procurement: [
    {
      name: 'a robot check',
      lie: rewrite('ViewAttachment.aspx', () => GATE),
      named: /ViewAttachment\.aspx: a page with the sign "robot check"/,
    },
    {
      name: 'a renamed column of a grid',
      lie: replace('VerAntecedentes', '<th>Anexo</th>', '<th>Archivo</th>'),
      named: /table grdAttachment\.Archivo/,
    },
  ],
};

const folders = await loadSources();

test('twenty differences are planted', () => {
  expect(Object.values(PLANTED).flat()).toHaveLength(20);
});

describe.each(folders.map((folder) => [folder.code, folder] as const))('%s', (code, folder) => {
  let server: SandboxServer;
  let liar: Liar;
  beforeAll(async () => {
    plantClock(() => NOW_MS);
    server = folder.createSandbox({ now: () => NOW_MS });
    liar = await startLiar(await server.listen(0));
  });
  afterAll(async () => {
    await liar.close();
    await server.close();
    plantClock(undefined);
  });

  const visit = async (): Promise<string[]> => {
    const [entry] = folder.credentials;
    const { codigos } = entry!.metadata;
    const tender = Array.isArray(codigos) ? String(codigos[0]) : undefined;
    const report = await visitSandbox(code, liar.url, entry!, { period: '2026-10', tender });
    return compareReport(report, ExpectationSchema.parse(JSON.parse(readFileSync(expectationFile(code), 'utf8'))));
  };

  test('through an unaltered proxy there is no difference', async () => {
    liar.lie = () => undefined;
    expect(await visit()).toEqual([]);
  });

  test.each(PLANTED[code] ?? [])('$name', async ({ lie, named }) => {
    liar.lie = lie;
    const differences = await visit();
    expect(
      differences.filter((line) => named.test(line)),
      differences.join('\n'),
    ).not.toEqual([]);
  });

  test('a missing cookie is named', async () => {
    const [expected] = [ExpectationSchema.parse(JSON.parse(readFileSync(expectationFile(code), 'utf8')))];
    const setting = expected.calls.find(({ cookiesAlways }) => cookiesAlways.length > 0);
    if (setting === undefined) return;
    const report = {
      source: code,
      day: '2026-11-20',
      loginStop: null,
      scopes: [],
      calls: [
        {
          ...setting,
          times: 1,
          sent: {},
          sizes: ['nothing', 'nothing'] as [string, string],
          statuses: {},
          types: {},
          redirects: [],
          cookies: {},
          bodies: [],
        },
      ],
    };
    expect(compareReport(report, expected).join()).toContain(`missing cookie: ${setting.cookiesAlways[0]}`);
  });
});
