/**
 * The main task of an integrator as a script: one source, one scope, the progress, the comparison with the ledger, the
 * feed, and the verified webhook.
 */
import { changesSince, connectionChanges, isMirror, tellSince } from './changes.ts';
import { connect, type Demonstration, readAllRows, subscribe, synchronize, verifiedWebhook } from './steps.ts';
import { compare, formatCompared, isEqual } from './totals.ts';

/** Returns the differences; empty when all rows match the ledger. */
export const demoMainJob = async ({ stack, ledgerOf }: Demonstration): Promise<string[]> => {
  const startedMs = performance.now();
  await subscribe(stack);
  const connectionId = await connect(stack, 'tax', ['rcv']);
  console.log(`connected      ${connectionId}`);
  const run = await synchronize(stack, connectionId, (line) => console.log(`progress       ${line}`));
  console.log(`run            ${run.status}: ${run.records_found} found, ${run.records_created} created`);
  const rows = await readAllRows(stack, `/connections/${connectionId}/tax-rcv-documents`);
  const ledger = await ledgerOf('tax');
  const periods = new Set(run.scope_outcomes.flatMap((outcome) => outcome.periods));
  const compared = compare(rows, ledger.rcv ?? {}, [...periods]);
  for (const each of compared) console.log(`               ${formatCompared(each)}`);
  const differing = compared.filter((each) => !isEqual(each)).map(({ unit }) => `ledger         ${unit} differs`);
  const verdict =
    differing.length === 0 ? ["ledger         every count and sum equals the institution's own"] : differing;
  console.log(verdict.join('\n'));
  const feed = connectionChanges(connectionId);
  const mirror = await changesSince(stack, feed, null);
  const isWhole = isMirror(mirror, 'rcv', rows);
  const asked = `${mirror.changes.length} changes by ${mirror.requests} requests to the feed`;
  console.log(`mirror         ${asked}: ${isWhole ? 'every row of the list' : 'not the rows of the list'}`);
  if (stack.inbox === undefined) {
    console.log('webhook        none: a deployed stage sends to an https address of yours (POST /webhooks)');
  } else {
    const webhook = await verifiedWebhook(stack.inbox, run.id);
    console.log(`webhook        ${webhook.type}, signature verified, ${webhook.id}`);
  }
  console.log(`done in        ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
  console.log(`feed           ${tellSince([await changesSince(stack, feed, mirror.cursor)])}`);
  return [
    ...differing,
    ...(isWhole ? [] : ['the feed does not tell the rows of the list']),
    ...(run.status === 'succeeded' ? [] : [`the run ended ${run.status}`]),
  ];
};
