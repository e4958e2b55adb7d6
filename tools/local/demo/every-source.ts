/** Connects every source, synchronizes all its scopes, and compares each scope with the institution's ledger. */
import { forEachConcurrent } from '#shared/platform/concurrency.ts';
import { changesSince, connectionChanges, isMirror, type Since, TENDER_CHANGES, tellSince } from './changes.ts';
import {
  connect,
  type Demonstration,
  type DemoStack,
  readAllRows,
  readInFull,
  readScopes,
  readTender,
  type ScopeData,
  synchronize,
} from './steps.ts';
import type { LedgerRow } from './totals.ts';
import { compare, formatCompared, isEqual, summedFields } from './totals.ts';

/**
 * Reads those rows of a scope that belong to one connection; `codigos` are the tenders that the connection requested.
 */
export const readRows = async (
  stack: DemoStack,
  { name: scope, data_url: dataUrl }: ScopeData,
  codigos: readonly string[],
  fields: readonly string[],
): Promise<LedgerRow[]> => {
  if (dataUrl !== null) {
    const listed = await readAllRows(stack, dataUrl);
    // The list contains the tenders of all connections of the organization, so tenders of other connections are
    // filtered out.
    const rows = listed.filter(({ codigo }) => typeof codigo !== 'string' || codigos.includes(codigo));
    // The list may omit amounts that only the full document has, so each row is then read in full.
    return rows.some((row) => fields.some((field) => !(field in row))) ? readInFull(stack, dataUrl, rows) : rows;
  }
  // The rows of a tender are requested by the tender's code and not by connection, because another connection may have
  // read the tender.
  const lists = await Promise.all(codigos.map((codigo) => readTender(stack, codigo, scope)));
  return lists.flat();
};

interface ShownSource {
  lines: string[];
  faults: string[];
  /** Name of the feed and its changes; undefined when the sync ended before the feed was read. */
  mirror?: { feed: string; since: Since };
}

/** True if the path of the scope's rows is below the connection; only such rows are in the connection's feed. */
const isBelow = (connectionId: string, { data_url: dataUrl }: ScopeData): boolean =>
  dataUrl?.startsWith(`/api/connections/${connectionId}/`) === true;

/** Synchronizes one source, and resolves with the lines to print and the differences from the ledger. */
const oneSource = async ({ stack, ledgerOf }: Demonstration, source: string): Promise<ShownSource> => {
  const { metadata } = stack.sandbox[source]!;
  const connectionId = await connect(stack, source);
  const run = await synchronize(stack, connectionId, (line) => console.log(`${source.padEnd(14)} ${line}`));
  const ledger = await ledgerOf(source);
  const codigos = (metadata.codigos ?? []) as string[];
  const lines = [`\n${source}: ${run.status}, ${run.records_found} found, ${run.records_created} created`];
  const faults = run.status === 'succeeded' ? [] : [`${source}: the run ended ${run.status} (${run.error_code})`];
  const feed = connectionChanges(connectionId);
  // Tenders belong to the organization, so their connection has no feed.
  const since = source === 'procurement' ? null : await changesSince(stack, feed, null);
  for (const data of await readScopes(stack, connectionId)) {
    const { name: scope } = data;
    const outcome = run.scope_outcomes.find((each) => each.scope === scope);
    const rows = await readRows(stack, data, codigos, summedFields(ledger[scope] ?? {}));
    const periods = outcome?.period == null ? null : outcome.periods;
    const held = ledger[scope];
    if (!held) faults.push(`${source}.${scope}: the institution's ledger does not speak of it`);
    if (since !== null && isBelow(connectionId, data) && !isMirror(since, scope, rows))
      faults.push(`${source}.${scope}: the feed does not tell the rows of the list`);
    const compared = compare(rows, held ?? {}, periods);
    lines.push(`  ${scope}`, ...compared.map((each) => `    ${formatCompared(each)}`));
    lines.push(...(outcome?.notices ?? []).map(({ code, message }) => `    notice ${code}: ${message}`));
    faults.push(
      ...compared.filter((each) => !isEqual(each)).map((each) => `${source}.${scope} ${formatCompared(each)}`),
    );
  }
  return { lines, faults, ...(since === null ? {} : { mirror: { feed, since } }) };
};

/**
 * @param sourcesAtOnce number of sources that synchronize in parallel
 * @returns differences; empty when all rows match the ledgers
 */
export const demoEverySource = async (
  demonstration: Demonstration,
  sourcesAtOnce = Number.POSITIVE_INFINITY,
): Promise<string[]> => {
  const sources = Object.keys(demonstration.stack.sandbox).sort();
  const shown = new Map<string, ShownSource>();
  await forEachConcurrent(sources, Math.min(sourcesAtOnce, sources.length), async (source) => {
    const told = oneSource(demonstration, source).catch(
      (error: unknown): ShownSource => ({ lines: [], faults: [`${source}: ${String(error)}`] }),
    );
    shown.set(source, await told);
  });
  const { stack } = demonstration;
  const tenders = await changesSince(stack, TENDER_CHANGES, null).catch((error: unknown) => String(error));
  const all = sources.map((source) => shown.get(source)!);
  for (const { lines } of all) console.log(lines.join('\n'));
  const faults = all.flatMap((each) => each.faults);
  const kept = all.flatMap(({ mirror }) => (mirror ? [[mirror.feed, mirror.since.cursor] as const] : []));
  if (typeof tenders === 'string') faults.push(`changes of tenders: ${tenders}`);
  else kept.push([TENDER_CHANGES, tenders.cursor]);
  console.log(faults.length === 0 ? `\nevery count and sum of ${sources.join(', ')} equals the institution's own` : '');
  console.log(tellSince(await Promise.all(kept.map(([feed, cursor]) => changesSince(stack, feed, cursor)))));
  return faults;
};
