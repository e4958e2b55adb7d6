/** Generates docs/cost.md from the templates of dev and prod, from counted units, and from prices. */
import { PLATFORM_LIMITS } from '#shared/platform/limits.ts';
import { ASSUMED, DOCUMENTED } from './assumed.ts';
import {
  idleMonth,
  type Line,
  millionPages,
  millionWebhooks,
  rowStorage,
  scopeMonth,
  sumLines,
  thousandSyncs,
} from './bills.ts';
import { type Bound, listBounds } from './bounds.ts';
import { type Counted, type CountedOperation, type CountedUnits, OPERATIONS, readCounted } from './counted.ts';
import { PRICES, toDollars } from './prices.ts';
import { billOfStage, type StageBill } from './stage-bill.ts';

export const COST_PAGE = 'docs/cost.md';

const rows = (head: readonly string[], marks: readonly string[], body: readonly (readonly string[])[]): string =>
  [head, marks, ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const bill = (lines: readonly Line[]): string =>
  rows(
    ['', 'dollars', 'from'],
    ['---', '---:', '---'],
    [
      ...lines.map(({ what, dollars, origins }) => [what, dollars.toFixed(2), origins.join(', ')]),
      ['**total**', `**${sumLines(lines).toFixed(2)}**`, ''],
    ],
  );

const number = (value: number): string => Number(value.toFixed(1)).toLocaleString('en-US');

const unitsTable = ({ operations }: Counted): string =>
  rows(
    ['', 'read units', 'write units', 'table calls', 'other requests', 'log bytes'],
    ['---', '---:', '---:', '---:', '---', '---:'],
    (Object.entries(OPERATIONS) as [CountedOperation, string][]).map(([operation, what]) => {
      const { readUnits, writeUnits, tableCalls, requests, logBytes }: CountedUnits = operations[operation];
      const others = Object.entries(requests).map(([name, count]) => `${number(count)} ${name}`);
      return [what, ...[readUnits, writeUnits, tableCalls].map(number), others.join(', ') || 'none', number(logBytes)];
    }),
  );

const boundsTable = (bounds: readonly Bound[]): string =>
  rows(
    ['', 'at most', 'is', ''],
    ['---', '---:', '---:', '---'],
    bounds.map(({ what, atMost, is, missing }) => [
      what,
      atMost.toFixed(2),
      is.toFixed(2),
      missing === null ? 'holds' : `**${(is - atMost).toFixed(2)} too much.** Missing: ${missing}`,
    ]),
  );

const pricesTable = (): string =>
  rows(
    ['dollars', 'for', "AWS's page"],
    ['---:', '---', '---'],
    Object.values(PRICES).map(({ dollars, per, what, page }) => [
      String(dollars),
      `${per === 1 ? 'a' : `${per.toLocaleString('en-US')}`} ${what}`,
      page,
    ]),
  );

const dollars = (value: number): string => Math.round(value).toLocaleString('en-US');

/** One row for each line of the bill, with its price for hourly and for daily syncs. */
const scopeMonths = (stage: StageBill, sync: CountedUnits): string => {
  const [hourly, daily] = [24, 1].map((syncsADay) => scopeMonth(stage, sync, syncsADay)) as [Line[], Line[]];
  const milli = (value: number): string => value.toFixed(3);
  return rows(
    ['', 'hourly', 'daily', 'from'],
    ['---', '---:', '---:', '---'],
    [
      ...hourly.map((line, at) => [
        line.what === daily[at]?.what ? line.what : `${line.what}; daily: ${daily[at]?.what}`,
        milli(line.dollars),
        milli(daily[at]?.dollars ?? 0),
        line.origins.join(', '),
      ]),
      ['**total**', `**${milli(sumLines(hourly))}**`, `**${milli(sumLines(daily))}**`, ''],
    ],
  );
};

/**
 * Returns the page's text. @throws Error when the counted figures are invalid, or a template contains something that
 * this module cannot interpret
 */
export const costPage = (counted: Counted = readCounted()): string => {
  const [dev, prod] = [billOfStage('dev'), billOfStage('prod')];
  const { firstSync, syncAgain } = counted.operations;
  return `# What it costs

\`npm run cost\` generates this page. It reads the counts of alarms, queues, keys, schedules and settings of functions from
the templates of \`dev\` and \`prod\`, the counted units from a file, and the prices from one table. A test compares this page
with the command's output. Every line names the source of its number:

- **template**: the synthesized stacks.
- **counted**: \`npm run cost:count\` runs the real handlers and the real engine over a table that returns
  \`ReturnConsumedCapacity\`, with the sandbox of the tax authority as institution, and counts every request of SQS and S3.
  First it verifies that the table counts units as AWS documents them (3 for a put of 2.4 KB, 6 in a transaction, 1 for a
  consistent read of it, 2 for a put with an entry in the index). Recorded in \`tools/cost/counted.json\`
  on ${counted.countedOn}; a test counts again and compares.
- **documents**: behaviour of AWS according to its documents. We have seen it neither on AWS nor on an emulator.
- **assumed**: see the assumptions below.

## What was promised

${boundsTable(listBounds(dev, prod, counted))}

## An idle month

This is the cost of a deployed stage without traffic.

### dev

${bill(idleMonth(dev, counted))}

### prod

${bill(idleMonth(prod, counted))}

A mapping without a maximum concurrency would poll less while its queue is empty (AWS's documents). We set the
maximum, because without it one source could use the account's whole concurrency. A key costs one dollar more a month after
its first yearly rotation, and another dollar after its second (AWS's documents).

## Operations

All figures are for \`prod\`. The client accepts gzip, as most do by default; the function compresses, because an HTTP API
does not (AWS's documents).

### A million list pages

${bill(millionPages(prod, counted, true))}

A client that does not accept gzip gets ${number(counted.pageBytes / 1e3)} kB a page, and the million costs ${sumLines(millionPages(prod, counted, false)).toFixed(2)}.

Through the dashboard's domain, as agents read, a million requests cost ${toDollars('edgeRequest', 1e6).toFixed(2)} more for CloudFront, and ${toDollars('logByte', 1e6 * ASSUMED.accessLogBytes).toFixed(2)} for its log.

### A million webhooks, ${ASSUMED.webhooksAKey} an endpoint in five minutes

${bill(millionWebhooks(prod, counted, 'often'))}

### A million webhooks, one an endpoint and hour

This is the pace of an endpoint of one customer whose connection is synchronized hourly.

${bill(millionWebhooks(prod, counted, 'hourly'))}

### A thousand first syncs of 1,000 documents

${bill(thousandSyncs(prod, firstSync))}

### A thousand syncs that find nothing new

${bill(thousandSyncs(prod, syncAgain))}

### A month of one scope

Each sync finds nothing new in a month of 1,000 documents. A connection has two to four scopes. Its schedule fires once for all of
them, and each run sends webhooks.

${scopeMonths(prod, syncAgain)}

50,000 scopes cost ${dollars(50_000 * sumLines(scopeMonth(prod, syncAgain, 24)))} a month with hourly syncs and ${dollars(50_000 * sumLines(scopeMonth(prod, syncAgain, 1)))} with daily syncs.

### Storage

- Raw answers expire after ${PLATFORM_LIMITS.retentionDays} days: a sync of 1,000 documents stores ${number(syncAgain.objectBytes / 1e3)} kB, packed, also if it finds
  nothing new. The price is a line of the month above.
- The rows of 1,000 documents cost at most ${rowStorage(firstSync).toFixed(4)} a month in the table and its backup: by their write units they are at most
  ${number((firstSync.writeUnits * DOCUMENTED.writeUnitBytes) / 1e6)} MB. Rows stay until their connection is deleted.

## Units

${unitsTable(counted)}

A page at offset 400 costs about what the first one costs. A first sync writes about three units a document, for two items:
the full row and the list row. A sync that finds nothing new reads the stored rows to compare them, and writes no row.

## Prices

List prices of us-east-1 in dollars, on demand, ARM, no free tier, as we knew them in November 2026. They were not copied
from AWS's pages on that day: check them there before you promise a figure. \`tools/cost/prices.ts\` defines them as one constant.

${pricesTable()}

## Assumptions

\`tools/cost/assumed.ts\` defines them.

- A month has ${ASSUMED.hoursAMonth} hours. A list page takes ${ASSUMED.pageMilliseconds} ms, a sweep that finds nothing ${ASSUMED.sweepSeconds} s. The gateway logs
  ${ASSUMED.accessLogBytes} bytes a request.
- A receiver of webhooks answers in ${ASSUMED.receiverMilliseconds} ms, our part takes ${ASSUMED.deliveryMilliseconds} ms, and each message is a separate invocation
  (batches of up to ten make it cheaper). An endpoint gets ${ASSUMED.webhooksAKey} webhooks in the five minutes in which its data key is
  cached, and the count assumes this distance. For an endpoint that gets a single webhook in that time, each webhook costs a
  request to KMS and ${ASSUMED.endpointReadUnits} read unit for the endpoint.
- An attempt at a webhook sends ${ASSUMED.webhookPackets} packets with headers of ${ASSUMED.packetHeadBytes} bytes; their content was counted over TLS.
- A scope waits ${ASSUMED.syncSeconds} s for its institution, 30 % more or less. In a month of a scope, ${ASSUMED.connections.toLocaleString('en-US')} connections have it, each at its own
  time. How many tasks share an invocation is simulated (\`tools/cost/shared-invocations.ts\`, [ADR 37](adr/0037-tasks-share-an-invocation.md)). A scope that waits for
  another one of its run takes 3 more write units, which are not in the table.
- According to AWS's documents, a mapping has ${DOCUMENTED.pollersAMapping} pollers, and each request waits ${DOCUMENTED.pollSeconds} s; X-Ray records one request a second and one of
  twenty beyond, so at low traffic it records every request; Lambda writes ${DOCUMENTED.platformLogBytes} bytes of its own log an invocation at level INFO.
- The tables do not include documents of tenders (S3, by their size), copies outside the account, and data that our customers' clients
  fetch twice.

## What would make it cheaper

- *Reads*: a client that asks for pages of 200 pays the fixed part once instead of four times.
- *Webhooks*: most of the cost is writes, at the price of a million write units in the table above. The delivery with its body
  and its due entry takes 3 units, in the transaction that ends the run, where an item counts double; the endpoint's slot 1,
  and 1 again when it is released; the claim 1; the outcome 2, because it removes the due entry; a stamp on the endpoint is
  written once a minute. Because of these writes every attempt is recorded, and no attempt is lost with its worker
  ([ADR 27](adr/0027-a-webhook-attempt-uses-plain-writes.md)). An outcome that counts a failure, or resets the count, is a
  transaction of 7 units.
- *Syncs*: most of the cost of a sync that finds nothing new is the time in which the function waits for the institution's pace.
`;
};
