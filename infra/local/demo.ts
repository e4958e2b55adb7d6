/**
 * `npm run demo`: the main job without a hand. Connects the sandbox's tax authority, synchronizes, shows progress as it
 * happens, prints documents and totals by period beside the institution's own ledger, and the verified webhook. Uses
 * the stack that runs, or starts one for as long as it takes. Ends with 1 when anything differs.
 */
import { join } from 'node:path';
import { connect, readAllRows, subscribe, synchronize, verifiedWebhook } from './demo/steps.ts';
import { compareWithLedger, type LedgerEntry, printTotals, totalsByPeriod } from './demo/totals.ts';
import { withStack } from './demo/with-stack.ts';

const dataFolder = process.env.DATA_DIR || join(import.meta.dirname, '../../.local');

const differences = await withStack(dataFolder, async (stack) => {
  const startedMs = performance.now();
  await subscribe(stack);
  const connectionId = await connect(stack, 'tax', ['rcv']);
  console.log(`connected      ${connectionId}`);
  const run = await synchronize(stack, connectionId, (line) => console.log(`progress       ${line}`));
  console.log(`run            ${run.status}: ${run.records_found} found, ${run.records_created} created`);
  const rows = await readAllRows(stack, `/connections/${connectionId}/tax-rcv-documents`);
  const totals = totalsByPeriod(rows);
  printTotals(totals);
  const ledger = (await (await fetch(stack.sandbox.tax!.ledger_url)).json()) as { rcv: Record<string, LedgerEntry> };
  const periods = new Set(run.scope_outcomes.flatMap((outcome) => outcome.periods));
  const found = compareWithLedger(totals, ledger.rcv, periods);
  console.log(
    found.length === 0 ? "ledger         every count and sum equals the institution's own" : found.join('\n'),
  );
  const webhook = await verifiedWebhook(stack, run.id);
  console.log(`webhook        ${webhook.type}, signature verified, ${webhook.id}`);
  console.log(`done in        ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
  return [...found, ...(run.status === 'succeeded' ? [] : [`the run ended ${run.status}`])];
});
process.exitCode = differences.length === 0 ? 0 : 1;
