/**
 * `npm run demo`: connects the sandbox's tax authority, synchronizes it, and prints documents and sums by month next to
 * the institution's own ledger. `--all` does this for every source with all its scopes, in parallel. `--agent` lets an
 * application read data and ask five questions. `--link` lets customers connect by links. The command uses the running local stack, or starts a stack and stops
 * it at the end. `--api` selects a stage that was deployed with its sandbox; if the stage's account has little
 * concurrency, the sources are synchronized one after the other. The exit code is 1 when any number differs.
 */
import { parseArgs } from 'node:util';
import { demoAgent } from '#tools/local/demo/agent.ts';
import { apiAddress, type DeployedAccess, withDeployed } from '#tools/local/demo/deployed-stack.ts';
import { demoEverySource } from '#tools/local/demo/every-source.ts';
import { demoLinks } from '#tools/local/demo/links.ts';
import { demoMainJob } from '#tools/local/demo/main-job.ts';
import { findDemoPace } from '#tools/local/demo/side-by-side.ts';
import type { Demonstration } from '#tools/local/demo/steps.ts';
import type { Ledger } from '#tools/local/demo/totals.ts';
import { withStack } from '#tools/local/demo/with-stack.ts';
import { DATA_FOLDER, fail } from './command-line.ts';

const USAGE = `usage: npm run demo -- [--all | --agent | --link] [--api <url>]

  --all        every source with all its scopes, in place of one
  --agent      an application registers, is allowed to read by the local session, and asks five questions
  --link       customers connect by links, one made by a person and some signed by a program
  --api <url>  over a deployed API, as the deploy prints it (https://…/api); its stage must have the sandbox
               (npm run deploy:stage -- dev --sandbox). Without it: the stack on this machine.

With --api, by environment and never as an argument, which others on the machine could read:

  DEMO_SESSION  a session of the stage (DEMO_SESSION=$(npm run -s session)); it makes the connections
  DEMO_API_KEY  a key of the same organization; without it one is made, and revoked at the end`;

const read = () => {
  try {
    return parseArgs({
      options: {
        all: { type: 'boolean' },
        agent: { type: 'boolean' },
        link: { type: 'boolean' },
        api: { type: 'string' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch {
    return fail(USAGE);
  }
};

const accessTo = (given: string): DeployedAccess => {
  const { DEMO_SESSION: session, DEMO_API_KEY: apiKey } = process.env;
  if (!session) return fail(`DEMO_SESSION is missing\n\n${USAGE}`);
  try {
    return { api: apiAddress(given), session, ...(apiKey ? { apiKey } : {}) };
  } catch (error) {
    return fail((error as Error).message);
  }
};

const here = (work: (demonstration: Demonstration) => Promise<string[]>): Promise<string[]> =>
  withStack(DATA_FOLDER, (stack) =>
    work({
      stack,
      ledgerOf: async (source) => (await (await fetch(stack.sandbox[source]!.ledger_url)).json()) as Ledger,
    }),
  );

const { all, agent, link, api, help } = read();
if (help) {
  console.log(USAGE);
  process.exit(0);
}

const overDeployed = async (given: string): Promise<string[]> => {
  const access = accessTo(given);
  if (agent) return withDeployed(access, demoAgent);
  if (link) return withDeployed(access, demoLinks);
  if (!all) return withDeployed(access, demoMainJob);
  const { isSideBySide, says } = await findDemoPace(access.api);
  if (says !== null) console.log(says);
  return withDeployed(access, (each) => demoEverySource(each, isSideBySide ? undefined : 1));
};
const localJob = (): ((demonstration: Demonstration) => Promise<string[]>) => {
  if (agent) return demoAgent;
  if (link) return demoLinks;
  return all ? demoEverySource : demoMainJob;
};
const faults = api === undefined ? await here((each) => localJob()(each)) : await overDeployed(api);
if (faults.length > 0) console.error(faults.join('\n'));
process.exitCode = faults.length === 0 ? 0 : 1;
