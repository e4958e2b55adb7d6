/** docs/mcp-conformance.md: what the suite said, and why what does not apply does not. */
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

const failed = ({ checks }: Scenario): string[] => [
  ...new Set(checks.filter(({ status }) => status === 'FAILURE').map(({ id }) => id)),
];
const passed = ({ checks }: Scenario): number => checks.filter(({ status }) => status === 'SUCCESS').length;

const scenarioLine = (scenario: Scenario): string => {
  const failures = failed(scenario);
  if (failures.length > 0) return `| ${scenario.name} | ${passed(scenario)} passed, left out: ${failures.join(', ')} |`;
  const count = passed(scenario);
  return `| ${scenario.name} | ${count > 0 ? `${count} passed` : 'nothing to check without a session'} |`;
};

const reasonLines = (exceptions: readonly Exception[]): string[] =>
  [...Map.groupBy(exceptions, ({ why }) => why)].map(
    ([why, entries]) => `- ${why} ${entries.map(({ entry }) => `\`${entry}\``).join(', ')}.`,
  );

const section = ({ served, revision, scenarios, exceptions }: Reported): string[] => {
  const whole = scenarios.filter((scenario) => failed(scenario).length === 0).length;
  return [
    `## ${revision}, ${served}`,
    '',
    `${ABOUT[served]}: ${whole} of ${scenarios.length} scenarios without a failure.`,
    '',
    '| Scenario | Checks |',
    '| --- | --- |',
    ...scenarios.map(scenarioLine),
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
    `Written by the run itself (\`CONFORMANCE=write\`, CONTRIBUTING.md): \`@modelcontextprotocol/conformance\` ${version},`,
    '`--requirements` of both revisions. The run fails on a failure that is not left out here, and on one left out that passes.',
    '',
    ...runs.flatMap(section),
  ].join('\n');
