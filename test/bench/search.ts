/**
 * `node test/bench/search.ts`: line 9. 50,000 dispatch guides in twelve months and the list searched by `q`, over the
 * whole function in this process: a common part of a name, a whole name, a folio, a tax id, a month alone, and what is
 * nowhere, in turns. `--guides 50000 --rounds 20`.
 */
import { parseArgs } from 'node:util';
import { contract } from '#functions/api/tax-dispatch-guides/list-tax-dispatch-guides/contract.ts';
import { taxGuias } from '#shared/scopes/tax-guias.ts';
import { startTable } from '#test/helpers/dynamo.ts';
import { newReadWorld } from './read-world.ts';
import { atMost, conclude, median, percentile } from './report.ts';
import { tableCallsOf } from './table-calls.ts';

const MONTHS = 12;
const P95_MS_MAX = 500;
const WARM_UP_ROUNDS = 3;

const { values } = parseArgs({
  options: { guides: { type: 'string', default: '50000' }, rounds: { type: 'string', default: '20' } },
});
const guides = Number(values.guides);
const rounds = Number(values.rounds);
const each = Math.ceil(guides / MONTHS);

const server = await startTable();
try {
  const sizes = Array.from({ length: MONTHS }, () => each);
  const world = await newReadWorld(server, taxGuias, contract.id, sizes);
  const asked = ['q=a', 'q=comercial', 'q=4712', 'q=76.5', `q=a&period=${world.periods[0]}`, 'q=zzzz'];
  const cases = [];
  for (const query of asked) {
    const { total } = await world.list(`${query}&limit=50`);
    const { readUnits, calls } = await tableCallsOf(() => world.list(`${query}&limit=50`));
    cases.push({ query, total, readUnits, calls, ms: [] as number[] });
  }
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++)
    for (const { query, ms } of cases) {
      const page = await world.list(`${query}&limit=50`);
      if (round >= 0) ms.push(page.ms);
    }
  const searches = cases.map(({ ms, ...rest }) => ({
    ...rest,
    p50: Number(median(ms).toFixed(1)),
    p95: Number(percentile(ms, 0.95).toFixed(1)),
  }));
  console.table(searches);
  const worst = Math.max(...searches.map(({ p95 }) => p95));
  conclude(
    'search',
    [atMost(9, `search over ${world.rows} guides, p95 ms of the slowest question`, worst, P95_MS_MAX)],
    {
      guides: world.rows,
      searches,
    },
  );
} finally {
  await server.stop();
}
process.exit();
