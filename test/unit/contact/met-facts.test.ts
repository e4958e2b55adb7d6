/** The generated column `Met` of the tables of docs/wire. */
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { markMetFacts } from '#tools/contact/met-facts.ts';
import type { ContactReport } from '#tools/contact/report.ts';

const PAGE = `## 4.2 Totals

| Key | Binds | Known |
| --- | --- | --- |
| \`rsmnTotDoc\` | equals the documents | ours |
| \`rsmnLink\`, \`rsmnMntIVA\` | both | ours |
| no name | nothing | ours |

| Other | Table |
| --- | --- |
| \`rsmnTotDoc\` | stays |
`;

const report = (day: string, fields: readonly string[], source = 'tax'): ContactReport => ({
  ...{ source, day, loginStop: null, scopes: [] },
  calls: [
    {
      ...{ step: 'rcv', method: 'POST', address: 'host/getResumen', sent: {}, times: 1, statuses: {}, types: {} },
      ...{ sizes: ['nothing', 'nothing'], redirects: [], cookies: {} },
      bodies: [
        {
          ...{ kind: 'JSON', signs: [], objects: {} },
          fields: Object.fromEntries(fields.map((path) => [path, { kinds: { number: 1 } }])),
        },
      ],
    },
  ],
});

describe('a table of facts', () => {
  test('gets the day of the newest report that shows all names of a row', () => {
    const reports = [
      report('2026-11-01', ['data[].rsmnTotDoc', 'data[].rsmnLink']),
      report('2026-12-01', ['data[].rsmnTotDoc']),
    ];
    const marked = markMetFacts('tax.md', PAGE, reports);
    expect(marked.split('\n').filter((line) => line.startsWith('|'))).toEqual([
      '| Key | Binds | Known | Met |',
      '| --- | --- | --- | --- |',
      '| `rsmnTotDoc` | equals the documents | ours | 2026-12-01 |',
      '| `rsmnLink`, `rsmnMntIVA` | both | ours | |',
      '| no name | nothing | ours | |',
      '| Other | Table |',
      '| --- | --- |',
      '| `rsmnTotDoc` | stays |',
    ]);
    expect(markMetFacts('tax.md', marked, reports)).toBe(marked);
  });

  test('loses the column with its last report', () => {
    const marked = markMetFacts('tax.md', PAGE, [report('2026-12-01', ['data[].rsmnTotDoc'])]);
    expect(markMetFacts('tax.md', marked, [])).toBe(PAGE);
  });

  test('is about its own institution, on the page of all banks by heading', () => {
    expect(markMetFacts('tax.md', PAGE, [report('2026-12-01', ['data[].rsmnTotDoc'], 'bankone')])).toBe(PAGE);
    const banks = `### 3.1 Bank one\n\n${PAGE}\n### 3.2 Bank two\n\n${PAGE}`;
    const marked = markMetFacts('banks.md', banks, [report('2026-12-01', ['data[].rsmnTotDoc'], 'banktwo')]);
    expect(marked.split('2026-12-01')).toHaveLength(2);
    expect(marked.indexOf('2026-12-01')).toBeGreaterThan(marked.indexOf('Bank two'));
  });
});

test('docs/wire says what its reports show; else: npm run gen', () => {
  const reports = globSync('docs/wire/contacts/*.json').map(
    (file) => JSON.parse(readFileSync(file, 'utf8')) as ContactReport,
  );
  for (const file of globSync('docs/wire/*.md')) {
    const page = readFileSync(file, 'utf8');
    expect(markMetFacts(basename(file), page, reports), file).toBe(page);
  }
});
