/** `npm run contact` as an operator runs it: credentials on standard input, a report in a folder, a comparison. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTaxSandbox, type TaxSandbox } from '#shared/sources/tax/sandbox/server.ts';
import { type Liar, type Lie, startLiar } from '#test/fakes/liar.ts';

const RUN = join(import.meta.dirname, '../../../tools/contact/run.ts');
const CREDENTIALS = { rut: '70000002-8', password: 'clave-de-prueba' };
const folder = mkdtempSync(join(tmpdir(), 'contact-'));
const TIMEOUT_MS = 60_000;
let sandbox: TaxSandbox;
let liar: Liar;
let logins = 0;

beforeAll(async () => {
  sandbox = createTaxSandbox({ now: () => Date.now() });
  liar = await startLiar(await sandbox.listen(0));
});
const count: Lie = ({ url }) => {
  if (url.includes('CAutInicio.cgi')) logins++;
  return undefined;
};
beforeEach(() => {
  liar.lie = count;
});
afterAll(async () => {
  await liar.close();
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

const run = (words: string[], input = ''): Promise<{ code: number | null; out: string }> =>
  new Promise((resolve) => {
    const program = spawn(process.execPath, [RUN, ...words], { env: { PATH: process.env.PATH } });
    let out = '';
    for (const stream of [program.stdout, program.stderr])
      stream.on('data', (chunk: Buffer) => {
        out += chunk.toString();
      });
    program.on('close', (code) => resolve({ code, out }));
    program.stdin.end(input);
  });
const visit = (more: string[] = []) =>
  run(['--source', 'tax', '--base-url', liar.url, '--out', folder, ...more], JSON.stringify(CREDENTIALS));

test('writes a report and a page after one login, and says nothing secret', { timeout: TIMEOUT_MS }, async () => {
  const before = logins;
  const { code, out } = await visit();
  expect(code, out).toBe(0);
  expect(logins - before).toBe(1);
  expect(out).toMatch(/rcv: \d+ rows/);
  expect(readdirSync(folder).map((file) => file.replace(/\d{4}-\d\d-\d\d/, 'DAY'))).toEqual([
    'contact-tax-DAY.html',
    'contact-tax-DAY.json',
  ]);
  const written = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  for (const text of [out, ...written])
    for (const value of Object.values(CREDENTIALS)) expect(text).not.toContain(value);
  const [file] = readdirSync(folder).filter((name) => name.endsWith('.json'));
  expect(await run(['--compare', join(folder, file!)])).toEqual({ code: 0, out: 'No differences to docs/wire.\n' });
});

test('names a difference, also when it is compared later', { timeout: TIMEOUT_MS }, async () => {
  liar.lie = (context) => {
    count(context);
    if (!context.url.includes('getDetalleVenta')) return undefined;
    return Buffer.from(context.body.toString().replaceAll('"detNroDoc"', '"detNumero"'));
  };
  const { code } = await visit(['--scope', 'rcv']);
  expect(code).toBe(0);
  const [file] = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const compared = await run(['--compare', join(folder, file!)]);
  expect(compared.code).toBe(1);
  expect(compared.out).toMatch(/missing field: data\[\]\.detNroDoc/);
  expect(compared.out).toMatch(/rcv: stopped, source\.unexpected_response: .*detNroDoc/);
});

test.each([
  ['no source', [], ''],
  ['an unknown scope', ['--source', 'tax', '--scope', 'nothing'], ''],
  ['a month that is none', ['--source', 'tax', '--period', '2026-13'], ''],
  ['a tender that is not named', ['--source', 'procurement'], ''],
  ['no credentials', ['--source', 'tax'], ''],
  ['a password as an argument', ['--source', 'tax', '--password', 'clave-de-prueba'], ''],
  ['a comparison without a report', ['--compare', 'package-lock.json'], ''],
  ['credentials of another source', ['--source', 'tax'], JSON.stringify({ ticket: 'clave-de-prueba' })],
])('%s is refused before anything is sent', { timeout: TIMEOUT_MS }, async (_what, words, input) => {
  const before = logins;
  const { code, out } = await run([...words, '--base-url', liar.url], input);
  expect(code, out).toBe(2);
  expect(out).not.toContain('at ');
  expect(logins).toBe(before);
});
