/**
 * `npm run contact`: visits an institution once with the real adapter and writes a report of shapes without values
 * (docs/first-contact.md). `--compare` lists the differences of a report to docs/wire. `--record` writes docs/wire/shapes
 * from the simulated institutions.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { nowMs } from '#shared/platform/clock.ts';
import { SourceError } from '#shared/sources/source.ts';
import { santiagoDay } from '#shared/values/dates.ts';
import { fail } from '#tools/local/command-line.ts';
import { readCredentials, WrongCredentials } from './ask-credentials.ts';
import { compareReport } from './compare.ts';
import { type Expectation, ExpectationSchema, listKnownNames } from './expectation.ts';
import { expectationFile, listScopes, loadAdapter, SOURCE_CODES } from './institution.ts';
import { KNOWN_CODES, listCodes } from './known-codes.ts';
import { maskValues } from './mask-values.ts';
import { reportPage } from './page.ts';
import { expectationText, recordExpectation } from './record.ts';
import { buildReport, type ContactReport } from './report.ts';
import { visitInstitution } from './visit.ts';

const USAGE = `npm run contact -- --source <${SOURCE_CODES.join('|')}> [--scope <name>] [--period YYYY-MM] [--tender <code>]
    [--base-url <url>] [--out <folder>]      credentials are asked for, or are one JSON object on standard input
npm run contact -- --compare <report.json>   lists the differences to docs/wire`;

const OPTIONS = {
  source: { type: 'string' },
  scope: { type: 'string' },
  period: { type: 'string' },
  tender: { type: 'string' },
  'base-url': { type: 'string' },
  out: { type: 'string', default: '.' },
  compare: { type: 'string' },
  record: { type: 'boolean', default: false },
} as const;

const readOptions = () => {
  try {
    return parseArgs({ options: OPTIONS }).values;
  } catch (error) {
    return fail(`${(error as Error).message}\n${USAGE}`);
  }
};
type Options = ReturnType<typeof readOptions>;

const readExpectation = (source: string): Expectation =>
  ExpectationSchema.parse(JSON.parse(readFileSync(expectationFile(source), 'utf8')));

const record = async (): Promise<void> => {
  for (const source of SOURCE_CODES) {
    const file = expectationFile(source);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, expectationText(await recordExpectation(source)));
  }
};

const readReport = (file: string): ContactReport => {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8')) as ContactReport;
    if (SOURCE_CODES.includes(report.source)) return report;
  } catch {
    // Refused below.
  }
  return fail(`${file} is no report of npm run contact`);
};

const compare = (file: string): void => {
  const report = readReport(file);
  const differences = compareReport(report, readExpectation(report.source));
  console.log(differences.join('\n') || 'No differences to docs/wire.');
  if (differences.length > 0) process.exitCode = 1;
};

const requireOptions = ({ source = '', scope, period, 'base-url': baseUrl }: Options): void => {
  if (!SOURCE_CODES.includes(source)) fail(USAGE);
  const names = listScopes(source).map(({ name }) => name);
  if (scope !== undefined && !names.includes(scope)) fail(`${source} has no scope ${scope}, but ${names.join(', ')}`);
  if (period !== undefined && !/^\d{4}-(?:0[1-9]|1[0-2])$/.test(period)) fail(`${period} is no month: YYYY-MM`);
  if (baseUrl !== undefined && !URL.canParse(baseUrl)) fail(`${baseUrl} is no address`);
};

const visit = async (options: Options): Promise<void> => {
  requireOptions(options);
  const { source = '', scope, tender, 'base-url': baseUrl, out } = options;
  const adapter = await loadAdapter(source);
  const today = santiagoDay(nowMs());
  const wanted = listScopes(source).filter(({ name }) => scope === undefined || name === scope);
  if (adapter.tenders && tender === undefined) fail(`${source} is read by tender: name one with --tender`);
  const credentials = await readCredentials(adapter.manifest, { input: process.stdin, output: process.stderr });
  const metadata = adapter.manifest.metadataSchema.parse({}) as Record<string, never>;
  const period = options.period ?? today.slice(0, 7);
  const progress = (message: string): void => console.error(message);
  const ended = new AbortController();
  process.once('SIGINT', () => ended.abort(new SourceError('source.unavailable', 'a person ended the visit')));
  const seen = await visitInstitution({
    adapter,
    scopes: wanted,
    credentials,
    metadata,
    period,
    tender,
    baseUrl,
    progress,
    signal: ended.signal,
  });
  const expectation = readExpectation(source);
  const built = buildReport(seen, today, { codes: KNOWN_CODES[source] ?? {}, names: listKnownNames(expectation) });
  const secrets = Object.values(credentials).map(String);
  const report = maskValues(built, secrets, seen.observed, JSON.stringify([expectation, listCodes(source)]));
  const text = `${JSON.stringify(report, null, 1)}\n`;
  const differences = compareReport(report, expectation);
  const page = reportPage(report, differences);
  const file = join(out, `contact-${source}-${today}`);
  mkdirSync(out, { recursive: true });
  writeFileSync(`${file}.json`, text);
  writeFileSync(`${file}.html`, page);
  console.log(
    `${file}.json and ${file}.html: ${report.calls.length} kinds of calls, ${differences.length} differences to docs/wire`,
  );
  for (const { scope: name, stop, rows } of report.scopes)
    console.log(`  ${name}: ${stop ? `stopped, ${stop.code}: ${stop.message}` : `${rows} rows`}`);
  if (report.loginStop) console.log(`  login: stopped, ${report.loginStop.code}: ${report.loginStop.message}`);
};

const options = readOptions();
try {
  if (options.record) await record();
  else if (options.compare !== undefined) compare(options.compare);
  else await visit(options);
} catch (error) {
  if (error instanceof WrongCredentials) fail(error.message);
  // A message of an unknown error may contain a value of an answer.
  fail(`the visit ended with ${error instanceof Error ? error.name : 'an unknown error'}: nothing is written`);
}
