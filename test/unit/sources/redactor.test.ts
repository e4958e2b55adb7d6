/** Secrets in answers: found in every form in which an institution may repeat them, and never found in honest data. */
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { requireManifest } from '#shared/sources/find-manifest.ts';
import { createByteSearch } from '#shared/sources/http/byte-search.ts';
import { SESSION_SECRET_CHARS_MAX, SESSION_SECRETS_MAX } from '#shared/sources/http/limits.ts';
import { createRedactor } from '#shared/sources/http/redactor.ts';
import { makeIo } from '#shared/sync/login/source-io.ts';
import { LoginTurns } from '#shared/values/login-turns.ts';
import { canaryForms } from '#test/fakes/echoing-institution.ts';
import { runs } from '#test/helpers/effort.ts';

const TICKET = 'F8537A18-6766-4DEF-9E59-426B4FEE2844';

const hidden = (values: string[], names: string[] = []) => values.map((value) => ({ value, names }));

const kept = (credentials: string[], text: string, sent = '', tokens: string[] = []): string => {
  const redactor = createRedactor({ credentials: hidden(credentials) });
  redactor.sees(sent);
  for (const token of tokens) redactor.learns(token);
  return Buffer.from(redactor.withoutSecrets(Buffer.from(text))).toString();
};

const ODD = fc.string({ unit: fc.constantFrom(...'aZ9"\'&<>+/%\\ =ñ·€'), minLength: 8, maxLength: 40 });

describe('a credential that no honest data hold', () => {
  test.each([TICKET, 'Clave"&<+/%2026', "contraseña\\1'x"])('%s goes in every form', (secret) => {
    const redactor = createRedactor({ credentials: hidden([secret]) });
    // A form is a sequence of bytes.
    for (const form of canaryForms(secret)) {
      const bytes = redactor.withoutSecrets(Buffer.from(`x${form}y`, 'latin1'));
      expect(Buffer.from(bytes).includes(form, 0, 'latin1')).toBe(false);
    }
    expect(kept([secret], `{"echo":${JSON.stringify(secret)},"total":1}`)).toBe('{"echo":"[redacted]","total":1}');
  });

  test('is found in base64 of a text around it, at any position', () => {
    fc.assert(
      fc.property(ODD, ODD, ODD, (before, rest, after) => {
        const secret = `k7${rest}`;
        for (const alphabet of ['base64', 'base64url'] as const) {
          const text = kept([secret], Buffer.from(before + secret + after).toString(alphabet));
          for (const form of canaryForms(secret)) expect(text).not.toContain(form);
        }
      }),
      { numRuns: runs(30) },
    );
  });

  test.each([
    String.raw`\u0041bcd-1234Ñ€`,
    String.raw`Abc\x64-1234\u00D1\u20ac`,
    '&#65;bcd-1234&Ntilde;&euro;',
    'A&#x62;cd&#45;1234&#xD1;&#x20AC;',
    '&#0065;bcd-1234&#209€',
    'Abcd%2D1234%c3%91%E2%82%AC',
    'Ab&#99;d-1234Ñ€',
  ])('goes though a server escaped signs it chose: %s', (echo) => {
    expect(kept(['Abcd-1234Ñ€'], `{"echo":"${echo}","total":1}`)).toBe('{"echo":"[redacted]","total":1}');
    expect(kept([], `say ${echo}.`, '', ['Abcd-1234Ñ€'])).toBe(`say ${echo}.`);
  });

  test('an escaped ISO-8859-1 character is also one', () => {
    const redactor = createRedactor({ credentials: hidden(['Abcd-1234Ñ']) });
    const page = Buffer.from('x&#65;bcd-1234Ñy', 'latin1');
    expect(Buffer.from(redactor.withoutCredentials(page)).toString()).toBe('x[redacted]y');
  });

  test('invalid escapes stay', () => {
    const honest = '&;&#;&#x;&#99999999;&nada;\\u00g1\\uD83D\\x4%4%GG%C3%&Abcd-123%';
    expect(kept(['Abcd-1234Ñ€'], honest)).toBe(honest);
  });

  test('goes from a packed file, which stays one', () => {
    const redactor = createRedactor({ credentials: hidden([TICKET]) });
    const file = gzipSync(`Folio;Nota\n1;${TICKET}\n`);
    expect(gunzipSync(redactor.withoutSecrets(file)).toString()).toBe('Folio;Nota\n1;[redacted]\n');
    const honest = gzipSync('Folio;Nota\n1;\n');
    expect(redactor.withoutSecrets(honest)).toBe(honest);
  });
});

describe('a credential that honest data may hold', () => {
  const WEAK = ['4711', 'Santiago', 'CONSTRUCTORA', '76543210-3', "O'Higgins", '2026-11-22', 'Los Andes SpA', '1'];

  test.each(WEAK)('%s stays if it is on its own', (secret) => {
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

  test.each([
    [
      'an input',
      '<input type="password" name="clave" value="4711">',
      '<input type="password" name="clave" value="[redacted]">',
    ],
    [
      'in the other order',
      '<input value="4711" type="password" id="clave">',
      '<input value="[redacted]" type="password" id="clave">',
    ],
    ['single quotes', "<input name='clave' value='4711'/>", "<input name='clave' value='[redacted]'/>"],
    ['no quotes', '<INPUT NAME=Clave VALUE=4711>', '<INPUT NAME=Clave VALUE=[redacted]>'],
    [
      'JSON of a page',
      String.raw`"<input name=\"clave\" value=\"4711\">"`,
      String.raw`"<input name=\"clave\" value=\"[redacted]\">"`,
    ],
    [
      'an escaped page',
      '&lt;input name=&quot;clave&quot; value=&quot;4711&quot;&gt;',
      '&lt;input name=&quot;clave&quot; value=&quot;[redacted]&quot;&gt;',
    ],
    ['another case', '{"Clave":"4711"}', '{"Clave":"[redacted]"}'],
    ['a text', 'CLAVE: 4711', 'CLAVE: [redacted]'],
    ['a number', '{"password":4711}', '{"password":[redacted]}'],
    [
      'another tag',
      '<input name="clave"><input name="monto" value="4711">',
      '<input name="clave"><input name="monto" value="4711">',
    ],
    ['another name', '<input name="subclave2" value="4711">', '<input name="subclave2" value="4711">'],
  ])('goes behind its name though this worker did not send it: %s', (_where, text, expected) => {
    const redactor = createRedactor({ credentials: hidden(['4711'], ['password', 'clave']) });
    expect(Buffer.from(redactor.withoutCredentials(Buffer.from(text))).toString()).toBe(expected);
  });

  test('goes in base64 of the request', () => {
    const echo = Buffer.from('POST /login\n\nrut=1-9&clave=4711').toString('base64');
    const text = kept(['4711'], `{"echo":"${echo}"}`, 'rut=1-9&clave=4711');
    expect(Buffer.from(text, 'base64').toString('latin1')).not.toContain('4711');
  });
});

test.each([
  ['tax', 'password', 'clave'],
  ['bankone', 'password', 'clave'],
  ['bankthree', 'password', 'clave'],
  ['banktwo', 'client_secret', 'client_secret'],
  ['procurement', 'ticket', 'ticket'],
])('%s: a worker that did not log in takes a numeric %s out, sent as %s', (code, field, wireName) => {
  const { redactor } = makeIo(requireManifest(code), {
    signal: new AbortController().signal,
    credentials: { [field]: '47114711' },
    turns: new LoginTurns(requireManifest(code).pace),
  });
  const echo = (value: string) => `{"${wireName}":"${value}","monto":47114711}`;
  expect(Buffer.from(redactor.withoutCredentials(Buffer.from(echo('47114711')))).toString()).toBe(echo('[redacted]'));
});

describe('a session', () => {
  const TOKEN = 'Q7WX2M9RT4KZB';
  test('its token is removed from what is stored, and stays for an adapter, which may have to send it back', () => {
    const redactor = createRedactor();
    redactor.learns(TOKEN);
    const page = Buffer.from(`<input name="state" value="${TOKEN}">`);
    expect(redactor.withoutCredentials(page)).toBe(page);
    expect(Buffer.from(redactor.withoutSecrets(page)).toString()).toBe('<input name="state" value="[redacted]">');
    expect(redactor.text(`text/html; sid=${TOKEN}`)).toBe('text/html; sid=[redacted]');
  });

  test.each([
    'Jx8PLg5QvS1bT7wkQ2hL9yRzN3mC!-123456789!NONE',
    '0000AbCdEfGhIjKlMnOpQrStUv:1a2b3c4d5',
    's%3AbK2dLq8.sig%2FxyzAb',
    '"Q7WX2M9RT4KZB"',
  ])('its cookie may look like %s', (value) => {
    const bare = decodeURIComponent(value).replaceAll('"', '');
    expect(kept([], `say ${bare} again`, '', [value])).toBe('say [redacted] again');
    expect(kept([], `say ${value} again`, '', [value])).not.toContain(bare);
  });

  test('a cookie that its source names is a secret, with any value', () => {
    const redactor = createRedactor({ sessionCookies: /^(?:TOKEN|SESION)$/ });
    redactor.learns('KQWXZMRTBVJHA', 'TOKEN');
    redactor.learns('4711', 'SESION');
    redactor.learns('QWERTYUIOPASD', 'OTHER');
    const text = 'KQWXZMRTBVJHA QWERTYUIOPASD 4711 SESION=4711 {"sesion":4711}';
    const clean = '[redacted] QWERTYUIOPASD 4711 SESION=[redacted] {"sesion":[redacted]}';
    expect(Buffer.from(redactor.withoutSecrets(Buffer.from(text))).toString()).toBe(clean);
    expect(Buffer.from(redactor.withoutCredentials(Buffer.from(text))).toString()).toBe(text);
  });

  test('a token that is too long goes by its beginning, and too many are refused', () => {
    const redactor = createRedactor();
    const token = Array.from({ length: 2_000 }, (_, at) => `n${at}`).join('');
    redactor.learns(token);
    const text = Buffer.from(redactor.withoutSecrets(Buffer.from(`<${token}>`))).toString();
    expect(text).toBe(`<[redacted]${token.slice(SESSION_SECRET_CHARS_MAX)}>`);
    const learnMany = () => {
      for (let count = 0; count <= SESSION_SECRETS_MAX; count++) redactor.learns(`token-number-${count}`);
    };
    expect(learnMany).toThrow(expect.objectContaining({ code: 'source.unexpected_response' }));
  });

  test.each([
    'es',
    'localhost:8080/app1',
    'Sun, 22 Nov 2026 12:00:00 GMT',
    '2026-11-22T12:00:00.000-03:00',
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

/** A page that counts how often its bytes are read. */
const countReads = (page: Uint8Array, work: (page: Uint8Array) => unknown): number => {
  let reads = 0;
  const counting = new Proxy(page, {
    get: (bytes, key) => {
      if (typeof key === 'string' && /^\d/.test(key)) reads++;
      return Reflect.get(bytes, key, bytes);
    },
  });
  work(counting);
  return reads;
};

test('a page of the letters of a long token takes steps that grow with the page', () => {
  const stepsOf = (length: number): number => {
    const search = createByteSearch();
    search.add([12, 40, length].flatMap((size) => [`${'a'.repeat(size)}1`, `${'a'.repeat(size)}2`].map(Buffer.from)));
    return countReads(Buffer.alloc(length, 'a'), search.places);
  };
  expect(stepsOf(2_000)).toBeLessThanOrEqual(2.5 * stepsOf(1_000));
});

test('in a long text this many characters in a row are enough', () => {
  const search = createByteSearch();
  const long = `k${'x9'.repeat(200)}`;
  search.add([Buffer.from(long)]);
  expect(search.places(Buffer.from(`..${long.slice(0, 63)}..`))).toEqual([]);
  expect(search.places(Buffer.from(`..${long.slice(0, 64)}..`))).toEqual([[2, 66]]);
  expect(search.places(Buffer.from(`..${long}..`))).toEqual([[2, 2 + long.length]]);
});
