/** Reads the coverage of all connections, page by page. */
import { api, must } from '../api/client.ts';
import { readAgain } from '../api/queries.ts';
import type { ConnectionCoverage } from './cells.ts';

const PAGE = 200;
/** Connections that one step reads: five requests. */
export const CONNECTIONS_STEP = 1_000;

export interface CoverageRange {
  first: string;
  last: string;
  /** Most connections to read. */
  connectionsMax: number;
}

export interface CoverageOfAll {
  connections: readonly ConnectionCoverage[];
  total: number;
}

const readPage = ({ first, last }: CoverageRange, offset: number, signal: AbortSignal) =>
  must(
    api.GET('/coverage', {
      params: { query: { period_from: first, period_to: last, limit: PAGE, offset } },
      signal,
    }),
  );

/** A connection that was created while the pages were read may be in two of them. */
const withoutRepeated = (all: readonly ConnectionCoverage[]): ConnectionCoverage[] => [
  ...new Map(all.map((each) => [each.connection_id, each])).values(),
];

export const coverageQuery = (range: CoverageRange) => ({
  queryKey: ['coverage', range.first, range.last, range.connectionsMax],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<CoverageOfAll> => {
    const { data, pagination } = await readPage(range, 0, signal);
    const connections = [...data];
    const end = Math.min(pagination.total, range.connectionsMax);
    for (let offset = PAGE; offset < end; offset += PAGE)
      connections.push(...(await readPage(range, offset, signal)).data);
    return { connections: withoutRepeated(connections), total: pagination.total };
  },
});

export const readCoverageAgain = (): Promise<void> => readAgain({ queryKey: ['coverage'] });
