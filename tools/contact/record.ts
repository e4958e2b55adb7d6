/**
 * Records what docs/wire describes: visits the simulated institutions with every login that works, for a settled, a
 * closed and an open month, and writes docs/wire/shapes.
 */
import { plantClock } from '#shared/platform/clock.ts';
import type { SandboxCredential } from '#shared/sources/sandbox-kit/credential.ts';
import { buildExpectation, type Expectation } from './expectation.ts';
import { listScopes, loadAdapter, loadSandbox } from './institution.ts';
import { KNOWN_CODES } from './known-codes.ts';
import { buildReport, type ContactReport } from './report.ts';
import { visitInstitution } from './visit.ts';

const NOW = '2026-11-20T15:00:00Z';
const MONTHS = ['2026-09', '2026-10', '2026-11'];
const WORKING = new Set(['works', 'empty']);

const codesOf = ({ metadata }: SandboxCredential): (string | undefined)[] => {
  const { codigos } = metadata;
  return Array.isArray(codigos) && codigos.length > 0 ? codigos.map(String) : [undefined];
};

/** Visits the simulated institution by one login, for one month or tender. All names are shown, because they are invented. */
export const visitSandbox = async (
  source: string,
  baseUrl: string,
  { credentials, metadata }: SandboxCredential,
  unit: { period: string; tender: string | undefined },
): Promise<ContactReport> => {
  const [adapter, scopes] = [await loadAdapter(source), listScopes(source)];
  const read = adapter.tenders && unit.tender === undefined ? [] : scopes;
  const visit = await visitInstitution({
    adapter,
    scopes: read,
    credentials,
    metadata,
    baseUrl,
    ...unit,
    progress: () => {},
  });
  return buildReport(visit, NOW.slice(0, 10), { codes: KNOWN_CODES[source] ?? {}, names: null });
};

/** Visits of all logins of the simulated institution that work. */
export const visitAll = async (source: string): Promise<ContactReport[]> => {
  const nowMs = Date.parse(NOW);
  plantClock(() => nowMs);
  const { credentials, create } = await loadSandbox(source);
  const server = create({ now: () => nowMs });
  const baseUrl = await server.listen(0);
  const reports: ContactReport[] = [];
  try {
    for (const entry of credentials.filter(({ behaviour }) => WORKING.has(behaviour)))
      for (const tender of codesOf(entry))
        for (const period of tender === undefined ? MONTHS : MONTHS.slice(0, 1))
          reports.push(await visitSandbox(source, baseUrl, entry, { period, tender }));
  } finally {
    await server.close();
    plantClock(undefined);
  }
  return reports;
};

export const recordExpectation = async (source: string): Promise<Expectation> =>
  buildExpectation(await visitAll(source));

/** One call a line, so that a change is readable. */
export const expectationText = ({ source, calls }: Expectation): string =>
  `{"source":${JSON.stringify(source)},"calls":[\n${calls.map((call) => JSON.stringify(call)).join(',\n')}\n]}\n`;
