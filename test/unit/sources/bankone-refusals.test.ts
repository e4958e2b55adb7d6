/** Requests that the portal refuses, and its answers (banks.md §3.1), without the adapter's client. */
import { describe, expect, test } from 'vitest';
import { listCompanies } from '#shared/sources/bankone/sandbox/credentials.ts';
import { wireRut } from '#shared/sources/bankone/sandbox/parties.ts';
import { client, firstAccount, logIn, REST } from './bankone-client.ts';
import { at, entryOf, loginOf, withKnobs } from './bankone-stage.ts';

describe('login', () => {
  test.each([
    ['a RUT with dash', { rutUsuario: '11000002-8', clave: 'x' }],
    ['a RUT that is not padded', { rutUsuario: '110000028', clave: 'x' }],
    ['no clave', { rutUsuario: '0110000028' }],
  ])('%s is no question', async (_what, body) => {
    expect((await client().send('/mibanco/login/autenticar', body)).status).toBe(400);
  });

  test('a code is accepted when it is right, within three attempts', async () => {
    const own = await logIn(entryOf('two_factor_asked'));
    expect(own.cookies.size).toBe(0);
    const login = loginOf(entryOf('two_factor_asked'));
    const again = await own.send('/mibanco/login/autenticar', {
      rutUsuario: wireRut(login),
      clave: entryOf('two_factor_asked').credentials.password,
    });
    const { id, tipo, expiraSegundos } = again.json.desafio;
    expect([tipo, expiraSegundos]).toEqual(['CODIGO', 180]);
    expect((await own.send(`/mibanco/login/desafio/${id}`, { codigo: '1' })).json.codigo).toBe('CODIGO_INCORRECTO');
    expect((await own.send(`/mibanco/login/desafio/${id}`, { codigo: '123456' })).json.estado).toBe('APROBADO');
    expect([...own.cookies.keys()]).toEqual(['SESION', 'XSRF-TOKEN']);
    expect((await own.send(`${REST}/empresas`)).status).toBe(200);
  });
});

describe('what precedes every answer', () => {
  test('no session: reported in three ways, one after the other', async () => {
    const own = client();
    const ways = new Set<string>();
    for (let i = 0; i < 3; i++) {
      const { status, headers } = await own.send(`${REST}/cuentas`);
      ways.add(`${status} ${headers.get('location') ?? headers.get('content-type')}`);
    }
    expect([...ways].toSorted()).toEqual([
      '200 text/html; charset=utf-8',
      '302 /mibanco/login',
      '401 application/json; charset=utf-8',
    ]);
  });

  test('a POST without the newest token', async () => {
    const own = await logIn();
    const account = await firstAccount(own);
    const stale = decodeURIComponent(own.cookies.get('XSRF-TOKEN')!);
    for (const token of ['', 'x', own.cookies.get('XSRF-TOKEN')!]) {
      const refused = await own.send(`${REST}/saldos`, { numeroCuenta: account }, { 'x-xsrf-token': token });
      expect([refused.status, refused.json.codigo], token).toEqual([403, 'XSRF']);
    }
    expect((await own.send(`${REST}/saldos`, { numeroCuenta: account }, { 'x-xsrf-token': stale })).status).toBe(403);
    expect((await own.send(`${REST}/saldos`, { numeroCuenta: account })).status).toBe(200);
  });

  test('the token is renewed in the middle of the work', async () => {
    const own = await logIn();
    const tokens = new Set<string | undefined>();
    for (let i = 0; i < 6; i++) {
      await own.send(`${REST}/empresas`);
      tokens.add(own.cookies.get('XSRF-TOKEN'));
    }
    expect(tokens.size).toBe(3);
  });

  test('two calls at once', async () => {
    const own = await logIn();
    await withKnobs({ latencyMs: 300 }, { latencyMs: 0 }, async () => {
      const answers = await Promise.all([own.send(`${REST}/cuentas`), own.send(`${REST}/cuentas`)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    });
  });
});

describe('questions that are refused', () => {
  const MONTH = { fechaInicio: '20261101', fechaFin: '20261120' };
  const WINDOW = { direccion: 'RECIBIDAS', fechaDesde: '20261001', fechaHasta: '20261031' };

  test.each<[string, string, object, number, string | undefined]>([
    ['no page', 'movimientos/getcartola', MONTH, 400, 'SOLICITUD_INVALIDA'],
    ['page 0', 'movimientos/getcartola', { ...MONTH, paginacionDesde: 0 }, 400, 'SOLICITUD_INVALIDA'],
    ['page as text', 'movimientos/getcartola', { ...MONTH, paginacionDesde: '1' }, 400, 'SOLICITUD_INVALIDA'],
    ['beyond the end', 'movimientos/getcartola', { ...MONTH, paginacionDesde: 9999 }, 400, 'SOLICITUD_INVALIDA'],
    [
      'a day that is none',
      'movimientos/getcartola',
      { ...MONTH, fechaFin: '20261131', paginacionDesde: 1 },
      400,
      undefined,
    ],
    [
      'a closed month',
      'movimientos/getcartola',
      { ...MONTH, fechaInicio: '20261031', paginacionDesde: 1 },
      422,
      'PERIODO_CERRADO',
    ],
    [
      'another company’s account',
      'movimientos/getcartola',
      { ...MONTH, numeroCuenta: '007700000207', paginacionDesde: 1 },
      404,
      'CUENTA_NO_ENCONTRADA',
    ],
    ['an unknown account', 'saldos', { numeroCuenta: '1' }, 404, 'CUENTA_NO_ENCONTRADA'],
    ['an account with other zeros', 'saldos', { numeroCuenta: '7600000207' }, 404, 'CUENTA_NO_ENCONTRADA'],
    ['a year of two digits', 'cartolas/historicas', { anio: '26' }, 400, 'SOLICITUD_INVALIDA'],
    ['an unknown folio', 'cartolas/detalle', { folio: '99999', pagina: 1 }, 404, 'CARTOLA_NO_ENCONTRADA'],
    ['the folio of the open month', 'cartolas/detalle', { folio: '00323', pagina: 1 }, 404, 'CARTOLA_NO_ENCONTRADA'],
    ['a page that is not there', 'cartolas/detalle', { folio: '00322', pagina: 2 }, 400, 'SOLICITUD_INVALIDA'],
    [
      '32 days',
      'transferencias/consultar',
      { ...WINDOW, fechaHasta: '20261101', paginacionDesde: 1 },
      422,
      'RANGO_EXCEDIDO',
    ],
    [
      'more than 12 months back',
      'transferencias/consultar',
      { ...WINDOW, fechaDesde: '20251119', fechaHasta: '20251130', paginacionDesde: 1 },
      422,
      'RANGO_EXCEDIDO',
    ],
    [
      'no direction',
      'transferencias/consultar',
      { ...WINDOW, direccion: 'AMBAS', paginacionDesde: 1 },
      400,
      'SOLICITUD_INVALIDA',
    ],
    ['an unknown batch', 'nominas/detalle', { numeroNomina: '1', paginacionDesde: 1 }, 404, 'NOMINA_NO_ENCONTRADA'],
    [
      'a company that is not theirs',
      'empresas/seleccionar',
      { rutEmpresa: '0779999999' },
      404,
      'EMPRESA_NO_ENCONTRADA',
    ],
  ])('%s', async (_what, path, body, status, codigo) => {
    const own = await logIn();
    const answer = await own.send(`${REST}/${path}`, { numeroCuenta: await firstAccount(own), ...body });
    expect(answer.status).toBe(status);
    if (codigo !== undefined) expect(answer.json.codigo).toBe(codigo);
  });

  test('and unknown paths and methods', async () => {
    const own = await logIn();
    expect((await own.send(`${REST}/otra`, {})).status).toBe(404);
    expect((await own.send(`${REST}/saldos`)).status).toBe(404);
  });
});

describe('answers', () => {
  test('both days null are the whole month, newest first, 50 a page', async () => {
    const own = await logIn(entryOf('rows_arrive'));
    const numeroCuenta = await firstAccount(own);
    const { json } = await own.send(`${REST}/movimientos/getcartola`, {
      numeroCuenta,
      fechaInicio: null,
      fechaFin: null,
      paginacionDesde: 1,
    });
    const days = json.movimientos.map(({ fecha }: { fecha: string }) => fecha);
    expect(days).toHaveLength(50);
    expect(days).toEqual(days.toSorted().toReversed());
    expect(json.pagina[0].masPaginas).toBe(true);
    expect(json.movimientos.every(({ monto }: { monto: string }) => /^\d+$/.test(monto))).toBe(true);
  });

  test('a selection is state of the session', async () => {
    const own = await logIn();
    const [selected, other] = listCompanies(loginOf(entryOf('works')));
    expect((await own.send(`${REST}/cuentas`)).json.rutEmpresa).toBe(wireRut(selected));
    expect((await own.send(`${REST}/empresas/seleccionar`, { rutEmpresa: wireRut(other) })).status).toBe(200);
    expect((await own.send(`${REST}/cuentas`)).json.rutEmpresa).toBe(wireRut(other));
  });

  test('a statement is there from the first banking day', async () => {
    const periods = async (): Promise<string[]> => {
      const own = await logIn();
      const numeroCuenta = await firstAccount(own);
      const { json } = await own.send(`${REST}/cartolas/historicas`, { numeroCuenta, anio: '2026' });
      return json.cartolas.map(({ periodo }: { periodo: string }) => periodo);
    };
    await at('2026-11-01T15:00:00Z', async () => expect((await periods())[0]).toBe('2026-09'));
    await at('2026-11-02T15:00:00Z', async () => expect((await periods())[0]).toBe('2026-10'));
  });
});
