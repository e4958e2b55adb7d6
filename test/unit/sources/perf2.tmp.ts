import { parse } from 'csv-parse/sync';
const row = '1;33;Del Giro;70000001-K;PROVEEDOR EJEMPLO SPA;8123;05/10/2026;06/10/2026 10:12:44;;0;84034;15966;;;100000;;;;;0;;;;0;;;;\r\n';
const text = row.repeat(2000);
for (const [n, o] of Object.entries({ list: { record_delimiter: ['\r\n', '\n', '\r'] }, auto: {}, one: { record_delimiter: '\r\n' }, lf: { record_delimiter: '\n' } })) {
  for (let k = 0; k < 2; k++) { const a = process.cpuUsage(); for (let i = 0; i < 10; i++) parse(text, { delimiter: ';', quote: false, relax_column_count: true, skip_empty_lines: true, ...o }); console.log(n, process.cpuUsage(a).user / 1000); }
}
