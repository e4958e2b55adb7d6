/** Generates docs/cost.md from the templates of dev and prod, counted units and prices. */
import { ASSUMED, DOCUMENTED } from './assumed.ts';
import { idleMonth, type Line, millionPages, millionWebhooks, thousandSyncs, totalOf } from './bills.ts';
import { type Bound, boundsOf } from './bounds.ts';
import { type Counted, type CountedUnits, OPERATIONS, type Operation, readCounted } from './counted.ts';
import { PRICES } from './prices.ts';
import { billOfStage } from './stage-bill.ts';

export const COST_PAGE = 'docs/cost.md';

const rows = (head: readonly string[], marks: readonly string[], body: readonly (readonly string[])[]): string =>
  [head, marks, ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const bill = (lines: readonly Line[]): string =>
  rows(
    ['', 'dollars', 'from'],
    ['---', '---:', '---'],
    [
      ...lines.map(({ what, dollars, origins }) => [what, dollars.toFixed(2), origins.join(', ')]),
      ['**total**', `**${totalOf(lines).toFixed(2)}**`, ''],
    ],
  );

const number = (value: number): string => Number(value.toFixed(1)).toLocaleString('en-US');

const unitsTable = ({ operations }: Counted): string =>
  rows(
    ['', 'read units', 'write units', 'table calls', 'other requests', 'log bytes'],
    ['---', '---:', '---:', '---:', '---', '---:'],
    (Object.entries(OPERATIONS) as [Operation, string][]).map(([operation, what]) => {
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

/** @throws Error when the counted figures are invalid, or a template contains something that the page cannot read */
export const costPage = (counted: Counted = readCounted()): string => {
  const [dev, prod] = [billOfStage('dev'), billOfStage('prod')];
  const { firstSync, syncAgain } = counted.operations;
  return `# What it costs

Made by \`npm run cost\`, not by hand: counts of alarms, queues, keys, schedules and settings of functions are read from the
templates of \`dev\` and \`prod\`, units were counted, prices are one table. A test compares this page with what the command
makes. Every line says where its number is from:

- **template**: the synthesized stacks.
- **counted**: \`npm run cost:count\` lets the real handlers and the real engine run over a table that answers with
  \`ReturnConsumedCapacity\`, with the sandbox of the tax authority as institution, and counts every request of SQS and S3.
  First it asks the table for units that AWS documents, to show that it counts as AWS does (3 for a put of 2.4 KB, 6 in a
  transaction, 1 for reading it consistently, 2 for a put with an entry in the index). Recorded in \`tools/cost/counted.json\`
  on ${counted.countedOn}; a test counts again and compares.
- **documents**: behaviour of AWS by its documents. It was seen neither on AWS nor on an emulator.
- **assumed**: see the assumptions below.

## What was promised

${boundsTable(boundsOf(dev, prod, counted))}

## An idle month

A stage that is deployed, and that nobody uses.

### dev

${bill(idleMonth(dev, counted))}

### prod

${bill(idleMonth(prod, counted))}

A mapping without a maximum concurrency would poll less while its queue is empty (AWS's documents). We keep the bound: without
it one source could take the account's whole concurrency. A key costs a dollar more a month after its first yearly rotation,
and another after its second (AWS's documents).

## Operations

At \`prod\`. A page is fetched by a client that takes gzip, as most do by themselves; the function packs, because an HTTP API does
not compress (AWS's documents).

### A million list pages

${bill(millionPages(prod, counted, true))}

A client that does not take gzip gets ${number(counted.pageBytes / 1e3)} kB a page, and the million costs ${totalOf(millionPages(prod, counted, false)).toFixed(2)}.

### A million webhooks

${bill(millionWebhooks(prod, counted))}

### A thousand first syncs of 1,000 documents

${bill(thousandSyncs(prod, firstSync))}

### A thousand syncs that find nothing new

${bill(thousandSyncs(prod, syncAgain))}

## Units

${unitsTable(counted)}

A page at offset 400 costs about what the first one costs. A first sync writes about three units a document, for two items:
the row in full and the row as listed. One that finds nothing new reads what is stored, to compare, and writes no row.

## Prices

List prices of us-east-1 in dollars, on demand, ARM, no free tier, as we knew them in November 2026. They were not read off
AWS's pages that day: check them there before you promise anything. They are one constant, \`tools/cost/prices.ts\`.

${pricesTable()}

## Assumptions

They are one file, \`tools/cost/assumed.ts\`.

- A month has ${ASSUMED.hoursAMonth} hours. A list page takes ${ASSUMED.pageMilliseconds} ms, a sweep that finds nothing ${ASSUMED.sweepSeconds} s. The gateway logs
  ${ASSUMED.accessLogBytes} bytes a request.
- A receiver of webhooks answers in ${ASSUMED.receiverMilliseconds} ms, our part takes ${ASSUMED.deliveryMilliseconds} ms, and each message is an invocation of its own
  (batches of up to ten make it cheaper). An endpoint gets ${ASSUMED.webhooksAKey} webhooks in the five minutes that its data key is kept, and
  they are counted so far apart; one that gets a single one asks KMS for each, which is 3.00 a million, and is read for each.
- An attempt at a webhook sends ${ASSUMED.webhookPackets} packets with heads of ${ASSUMED.packetHeadBytes} bytes; what is in them was counted over TLS.
- A scope waits ${ASSUMED.syncSeconds} s for its institution.
- By AWS's documents: ${DOCUMENTED.pollersAMapping} pollers a mapping, each asking for ${DOCUMENTED.pollSeconds} s; X-Ray records one request a second and one of twenty beyond, so that
  few requests are all recorded; Lambda writes ${DOCUMENTED.platformLogBytes} bytes of its own log an invocation at level INFO.
- Not in the tables: what is stored (DynamoDB 0.25, its backup 0.20, S3 0.023 a GB and month), and what our customers' own
  clients fetch twice.

## What would make it cheaper

- *Reads*: a client that asks for pages of 200 pays the fixed part once instead of four times.
- *Webhooks*: most of it is writes, of which a million cost what they do in the table of prices: the delivery with its body and
  its entry of what is due 3, in the transaction that ends the run, where an item counts double; the endpoint's place 1 and
  1 again when it is given back; the claim 1; the outcome 2, for it takes the entry away; a stamp on the endpoint once a minute.
  They are why no attempt is made that is not recorded, and none is lost with its worker
  ([ADR 27](adr/0027-what-an-attempt-writes.md)). An end that counts a failure, or forgets some, is a transaction: 7.
- *Syncs*: most of a sync that finds nothing new is the function waiting for the institution's pace.
`;
};
