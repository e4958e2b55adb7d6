/** Credentials asked on a terminal: secrets are not echoed, empty optional fields are left out. */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { manifest } from '#shared/sources/tax/manifest.ts';
import { readCredentials, WrongCredentials } from '#tools/contact/ask-credentials.ts';

const openTerminal = () => {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = new PassThrough();
  let shown = '';
  output.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
  });
  return { input, output, shown: () => shown };
};

const typeAll = async (input: PassThrough, lines: readonly string[]): Promise<void> => {
  for (const line of lines) {
    await new Promise((resolve) => setImmediate(resolve));
    input.write(`${line}\r\n`);
  }
};

test('each field is asked for, and the password is not shown', async () => {
  const terminal = openTerminal();
  const reading = readCredentials(manifest, terminal);
  await typeAll(terminal.input, ['70000002-8', 'clave-de-prueba', '']);
  expect(await reading).toEqual({ rut: '70000002-8', password: 'clave-de-prueba' });
  expect(terminal.shown()).toMatch(/rut: [\s\S]*password: [\s\S]*company_rut \(may be empty\): /);
  expect(terminal.shown()).not.toContain('clave');
});

test('a password is not shown if all lines are pasted at once', async () => {
  const terminal = openTerminal();
  const reading = readCredentials(manifest, terminal);
  terminal.input.write('70000002-8\rclave-de-prueba\r\r');
  expect(await reading).toEqual({ rut: '70000002-8', password: 'clave-de-prueba' });
  expect(terminal.shown()).not.toContain('clave');
});

test('a refusal names the field and not the value', async () => {
  const input = new PassThrough();
  input.end(JSON.stringify({ rut: '70000002-9', password: 'clave-de-prueba' }));
  const refused = await readCredentials(manifest, { input, output: new PassThrough() }).catch(
    (error: unknown) => error,
  );
  expect(refused).toBeInstanceOf(WrongCredentials);
  expect(String(refused)).toContain('rut');
  expect(String(refused)).not.toMatch(/70000002|clave/);
});
