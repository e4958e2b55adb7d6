/** The readable page of a report. Pure. */
import { escapeHtml } from '#tools/docs-html.ts';
import { callName } from './expectation.ts';
import type { CallShape, ContactReport } from './report.ts';
import type { BodyShape, FieldShape } from './shape.ts';

const list = (lines: readonly string[], nothing: string): string =>
  lines.length === 0 ? `<p>${nothing}</p>` : `<ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>`;

const counts = (all: Readonly<Record<string, number>>): string =>
  Object.entries(all)
    .map(([name, count]) => `${name} (${count})`)
    .join(', ') || 'none';

const describeField = ({ kinds, text, codes }: FieldShape): string =>
  [
    counts(kinds),
    ...(text ? [`${text[0]} to ${text[1]} characters`] : []),
    ...(codes ? [`codes ${counts(codes)}`] : []),
  ].join('; ');

const bodyTable = ({ kind, signs, objects, fields }: BodyShape): string => `
<h4>${escapeHtml(kind)}${signs.length > 0 ? `: ${escapeHtml(signs.join(', '))}` : ''}</h4>
<p>Parts: ${escapeHtml(counts(objects))}</p>
<table><tr><th>Field</th><th>Values</th></tr>${Object.entries(fields)
  .map(
    ([path, field]) => `<tr><td><code>${escapeHtml(path)}</code></td><td>${escapeHtml(describeField(field))}</td></tr>`,
  )
  .join('')}</table>`;

const callSection = (call: CallShape): string => `
<details><summary><code>${escapeHtml(callName(call))}</code>, ${call.times} times, status ${escapeHtml(counts(call.statuses))}</summary>
<p>Content type ${escapeHtml(counts(call.types))}; ${escapeHtml(call.sizes.join(' to '))}; cookies ${escapeHtml(counts(call.cookies))};
redirects ${escapeHtml(call.redirects.join(', ') || 'none')}</p>
<p>Sent: ${escapeHtml(
  Object.entries(call.sent)
    .map(([name, kind]) => `${name} (${kind})`)
    .join(', ') || 'nothing',
)}</p>
${call.bodies.map(bodyTable).join('')}</details>`;

const scopeRow = ({ scope, stop, answers, rows, notices, totals, balances }: ContactReport['scopes'][number]): string =>
  `<tr>${[
    scope,
    stop ? `stopped: ${stop.code}, ${stop.message}` : 'read',
    String(answers),
    String(rows),
    counts(notices),
    totals ? [totals.verdict, ...totals.differing].join(' ') : 'none',
    balances ? counts(balances) : 'none',
  ]
    .map((cell) => `<td>${escapeHtml(cell)}</td>`)
    .join('')}</tr>`;

export const reportPage = (report: ContactReport, differences: readonly string[]): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Contact with ${escapeHtml(report.source)}, ${report.day}</title>
<style>body{font:15px/1.5 system-ui;margin:2rem auto;max-width:70rem;padding:0 1rem}table{border-collapse:collapse}
td,th{border:1px solid #bbb;padding:.2rem .5rem;text-align:left;vertical-align:top}summary{cursor:pointer}</style></head><body>
<h1>Contact with ${escapeHtml(report.source)}, ${report.day}</h1>
<p>Shapes only: this page contains no value of an answer.</p>
<h2>Differences to docs/wire</h2>
${list(differences, 'None.')}
<h2>What the parser read</h2>
<table><tr><th>Scope</th><th>End</th><th>Answers</th><th>Rows</th><th>Notices</th><th>Totals</th><th>Balances</th></tr>
${report.scopes.map(scopeRow).join('\n')}</table>
<h2>Calls</h2>
${report.calls.map(callSection).join('\n')}
</body></html>
`;
