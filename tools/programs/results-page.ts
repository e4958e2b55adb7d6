/** The last part of docs/mcp-conformance.md: which programs of others were tried, and with what result. */

export interface ProgramResult {
  name: string;
  version: string;
  does: string;
  /** `passed`, or why it was left out or failed. */
  outcome: string;
}

export const PROGRAMS_HEADING = '## Programs of others';

/** Returns the page with the results instead of the previous ones. */
export const withResults = (page: string, results: readonly ProgramResult[], day: string): string => {
  const [others = ''] = page.split(`\n${PROGRAMS_HEADING}\n`);
  return [
    others.trimEnd(),
    '',
    PROGRAMS_HEADING,
    '',
    `\`npm run programs -- --write\` writes this part; last run on ${day}, over a local stack with one synchronized month.`,
    '',
    '| Program | Version | What it does | Result |',
    '| --- | --- | --- | --- |',
    ...results.map(({ name, version, does, outcome }) => `| \`${name}\` | ${version} | ${does} | ${outcome} |`),
    '',
  ].join('\n');
};
