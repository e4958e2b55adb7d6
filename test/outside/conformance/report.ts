/** docs/mcp-conformance.md: the result of the suite, and the reasons for its exceptions. */

import { PROGRAMS_HEADING } from '#tools/programs/results-page.ts';
import type { Exception, Served } from './exceptions.ts';
import type { Scenario } from './run-suite.ts';

export interface Reported {
  served: Served;
  revision: string;
  scenarios: readonly Scenario[];
  exceptions: readonly Exception[];
}

const ABOUT: Readonly<Record<Served, string>> = {
  product: 'The endpoint itself, over a local stack, behind a proxy that adds a token (the suite sends none)',
  fixture: 'The same adapter with the tools of the suite’s own fixture, which ask back, log and report progress',
};

const passed = ({ checks }: Scenario): number => checks.filter(({ status }) => status === 'SUCCESS').length;

/** The excepted checks, if the rest of the scenario passes; null if the whole scenario is excepted. */
const leftOut = ({ name }: Scenario, exceptions: readonly Exception[]): string[] | null => {
  const entries = exceptions.map(({ entry }) => entry.split(':')).filter(([scenario]) => scenario === name);
  return entries.some(([, check]) => check === undefined) ? null : entries.map(([, check]) => check!);
};

const scenarioLine = (scenario: Scenario, exceptions: readonly Exception[]): string => {
  const out = leftOut(scenario, exceptions);
  if (out === null) return `| ${scenario.name} | left out |`;
  const count = passed(scenario);
  const held = count > 0 ? `${count} passed` : 'nothing to check without a session';
  return `| ${scenario.name} | ${out.length > 0 ? `${held}, left out: ${out.join(', ')}` : held} |`;
};

const reasonLines = (exceptions: readonly Exception[]): string[] =>
  [...Map.groupBy(exceptions, ({ why }) => why)].map(
    ([why, entries]) => `- ${why} ${entries.map(({ entry }) => `\`${entry}\``).join(', ')}.`,
  );

const section = ({ served, revision, scenarios, exceptions }: Reported): string[] => {
  const held = scenarios.filter((scenario) => leftOut(scenario, exceptions) !== null).length;
  return [
    `## ${revision}, ${served}`,
    '',
    `${ABOUT[served]}.`,
    '',
    `${held} scenarios hold, ${scenarios.length - held} are left out by name.`,
    '',
    '| Scenario | Checks |',
    '| --- | --- |',
    ...scenarios.map((scenario) => scenarioLine(scenario, exceptions)),
    '',
    'Left out, and why:',
    '',
    ...reasonLines(exceptions),
    '',
  ];
};

export const reportPage = (version: string, runs: readonly Reported[]): string =>
  [
    '# Conformance of the agents’ endpoint',
    '',
    `The conformance run writes this page (\`CONFORMANCE=write\`, CONTRIBUTING.md): \`@modelcontextprotocol/conformance\` ${version},`,
    '`--requirements` of both revisions. The run fails if a check fails that is not left out here, or if a left-out check passes.',
    '',
    ...runs.flatMap(section),
  ].join('\n');

const AUTHORIZATION_HEADING = '## Authorization server';

export const authorizationPart = (scenarios: readonly Scenario[]): string =>
  [
    AUTHORIZATION_HEADING,
    '',
    'The scenarios of the suite for authorization servers, over a local stack: the suite is a client that registered, and a',
    'person signs in and clicks Allow in Chromium.',
    '',
    '| Scenario | Checks |',
    '| --- | --- |',
    ...scenarios.map((scenario) => `| ${scenario.name} | ${passed(scenario)} passed |`),
    '',
  ].join('\n');

/** Each part is written by its own test, and the last one by `npm run programs`. */
export const partsOf = (page: string): { protocol: string; authorization: string; programs: string } => {
  const [suite = '', programs = ''] = page.split(`\n${PROGRAMS_HEADING}\n`);
  const [protocol = '', authorization = ''] = suite.split(`\n${AUTHORIZATION_HEADING}\n`);
  return {
    protocol,
    authorization: `${AUTHORIZATION_HEADING}\n${authorization}`,
    programs: `${PROGRAMS_HEADING}\n${programs}`,
  };
};
