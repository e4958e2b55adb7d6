import { rutOf } from '#shared/sources/tax/sandbox/parties.ts';
import { createTaxSandbox } from '#shared/sources/tax/sandbox/server.ts';
import { generateMonth } from '#shared/sources/tax/sandbox/generate.ts';
import { detailRow } from '#shared/sources/tax/sandbox/detail.ts';
import { csvLines } from '#shared/sources/tax/sandbox/csv.ts';
import { source } from '#shared/sources/tax/source.ts';
import { createAsk, createIo, createClock } from './ask.ts';
const t = (l: string, f: () => unknown) => { const a = process.cpuUsage(); const r = f(); const c = process.cpuUsage(a); console.log(l, Math.round((c.user + c.system)/1000), "cpu ms"); return r as any; };
for (let k = 0; k < 3; k++) {
const docs = t('generate 20k', () => generateMonth({ seed: 'x', company: rutOf(70000004), period: '2026-10', documents: 20000, today: '2026-11-20' }));
const buys = docs.filter((d: any) => d.operation === 'COMPRA' && d.estado === 'REGISTRO');
const csv = csvLines([...buys, ...buys], 'COMPRA', 'REGISTRO', true).join('\r\n');
const enc = new TextEncoder();
const cr = { rut: rutOf(70000004), password: 'x' };
const drain = (a: any) => { let n = 0; for (const _ of source.parse({ scope: 'rcv', period: '2026-10', credentials: cr }, [a])) n++; return n; };
const request = { method: 'obtenerArchivoBLOB', ptributario: '202610', operacion: 'COMPRA', estadoContab: 'REGISTRO', codTipoDoc: '0' };
console.log(t('csv', () => drain({ key: 'k', request, contentType: null, body: enc.encode(csv) })), csv.length);
const json = JSON.stringify({ data: [...buys, ...buys].map(detailRow), respEstado: { codRespuesta: 0 } });
console.log(t('json', () => drain({ key: 'k', request: { ...request, method: 'getDetalleCompra', codTipoDoc: '33' }, contentType: null, body: enc.encode(json) })), json.length);
}
