/** Secrets in answers: found in every form in which an institution may repeat them, and nowhere in honest data. */
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createByteSearch } from '#shared/sources/http/byte-search.ts';
import { createRedactor } from '#shared/sources/http/redactor.ts';
import { canaryForms } from '#test/helpers/echoing-institution.ts';

const TICKET = 'F8537A18-6766-4DEF-9E59-426B4FEE2844';

const kept = (credentials: string[], text: string, sent = '', tokens: string[] = []): string => {
  const redactor = createRedactor(credentials);
  redactor.sees(sent);
  for (const token of tokens) redactor.learns(token);
  return Buffer.from(redactor.withoutSecrets(Buffer.from(text))).toString();
};

const ODD = fc.string({ unit: fc.constantFrom(...'aZ9"\'&<>+/%\\ =ñ·€'), minLength: 8, maxLength: 40 });

describe('a credential that no honest data hold', () => {
  test.each([TICKET, 'Clave"&<+/%2026', "contraseña\\1'x"])('%s goes in every form', (secret) => {
    const redactor = createRedactor([secret]);
    // A form is a row of bytes.
    for (const form of canaryForms(secret)) {
      const bytes = redactor.withoutSecrets(Buffer.from(`x${form}y`, 'latin1'));
      expect(Buffer.from(bytes).includes(form, 0, 'latin1')).toBe(false);
    }
    expect(kept([secret], `{"echo":${JSON.stringify(secret)},"total":1}`)).toBe('{"echo":"[redacted]","total":1}');
  });

  test('goes in base64 of a text around it, wherever it stands', () => {
    fc.assert(
      fc.property(ODD, ODD, ODD, (before, rest, after) => {
        const secret = `k7${rest}`;
        for (const alphabet of ['base64', 'base64url'] as const) {
          const text = kept([secret], Buffer.from(before + secret + after).toString(alphabet));
          for (const form of canaryForms(secret)) expect(text).not.toContain(form);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('goes from a packed file, which stays one', () => {
    const redactor = createRedactor([TICKET]);
    const file = gzipSync(`Folio;Nota\n1;${TICKET}\n`);
    expect(gunzipSync(redactor.withoutSecrets(file)).toString()).toBe('Folio;Nota\n1;[redacted]\n');
    const honest = gzipSync('Folio;Nota\n1;\n');
    expect(redactor.withoutSecrets(honest)).toBe(honest);
  });
});

describe('a credential that honest data may hold', () => {
  const WEAK = ['4711', 'Santiago', 'CONSTRUCTORA', '76543210-3', "O'Higgins", '2026-11-22', 'Los Andes SpA', '1'];

  test.each(WEAK)('%s stays where it stands alone', (secret) => {
    const honest = JSON.stringify({ monto: secret, nombre: `Comercial ${secret} Ltda`, folio: 4711 });
    expect(kept([secret], honest, `rut=1-9&clave=${encodeURIComponent(secret)}`)).toBe(honest);
  });

  test.each([
    ['a form', 'rut=1-9&clave=4711&x=1', 'rut=1-9&clave=[redacted]&x=1'],
    ['JSON', '{"clave":"4711","monto":4711}', '{"clave":"[redacted]","monto":4711}'],
    ['JSON in JSON', String.raw`{"e":"{\"clave\":\"4711\"}"}`, String.raw`{"e":"{\"clave\":\"[redacted]\"}"}`],
    ['a page', '<td>clave</td><td class="x">4711</td>', '<td>clave</td><td class="x">[redacted]</td>'],
    ['HTML', '{&quot;clave&quot;:&quot;4711&quot;}', '{&quot;clave&quot;:&quot;[redacted]&quot;}'],
    ['a URL', 'e=clave%3D4711%26x', 'e=clave%3D[redacted]%26x'],
    ['a longer number', 'clave=47110', 'clave=47110'],
  ])('goes behind its name: %s', (_where, text, expected) => {
    expect(kept(['4711'], text, 'rut=1-9&clave=4711')).toBe(expected);
    expect(kept(['4711'], text, '{"rutUsuario":"1-9","clave":"4711"}')).toBe(expected);
  });

  test('goes in base64 of the request', () => {
    const echo = Buffer.from('POST /login\n\nrut=1-9&clave=4711').toString('base64');
    const text = kept(['4711'], `{"echo":"${echo}"}`, 'rut=1-9&clave=4711');
    expect(Buffer.from(text, 'base64').toString('latin1')).not.toContain('4711');
  });
});

describe('a session', () => {
  const TOKEN = 'Q7WX2M9RT4KZB';
  test('its token goes from what is kept, and stays for an adapter, which may have to send it back', () => {
    const redactor = createRedactor([]);
    redactor.learns(TOKEN);
    const page = Buffer.from(`<input name="state" value="${TOKEN}">`);
    expect(redactor.withoutCredentials(page)).toBe(page);
    expect(Buffer.from(redactor.withoutSecrets(page)).toString()).toBe('<input name="state" value="[redacted]">');
    expect(redactor.text(`text/html; sid=${TOKEN}`)).toBe('text/html; sid=[redacted]');
  });

  test.each([
    'es',
    '76543210-3',
    '2026-11-22T12:00:00Z',
    'https://www4.sii.cl/app',
    'www4.sii.cl/app1',
    '20261122143000',
  ])('a cookie may hold %s, as answers rightly do', (value) => {
    expect(kept([], `say ${value} again`, '', [value])).toBe(`say ${value} again`);
  });
});

test('a search finds what a plain one finds, longest first', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 2, maxLength: 5 }), { minLength: 1 }),
      fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 60 }),
      (forms, text) => {
        const search = createByteSearch();
        search.add(forms.map((form) => Buffer.from(form)));
        const pattern = new RegExp([...forms].sort((a, b) => b.length - a.length).join('|'), 'g');
        const plain = [...text.matchAll(pattern)].map((match) => [match.index, match.index + match[0].length]);
        expect(search.places(Buffer.from(text))).toEqual(plain);
      },
    ),
  );
});
