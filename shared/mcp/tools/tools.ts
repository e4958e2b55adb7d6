/** Every tool, in the order of `tools/list`. */
import type { Tool } from '#shared/mcp/tool.ts';
import { changesSince } from './changes-since.ts';
import { coverage } from './coverage.ts';
import { explainGaps } from './explain-gaps.ts';
import { getDocument } from './get-document.ts';
import { listConnections } from './list-connections.ts';
import { listPeriods } from './list-periods.ts';
import { periodTotals } from './period-totals.ts';
import { searchRows } from './search-rows.ts';
import { whoami } from './whoami.ts';

export const TOOLS: readonly Tool[] = [
  whoami,
  listConnections,
  listPeriods,
  searchRows,
  getDocument,
  periodTotals,
  coverage,
  changesSince,
  explainGaps,
];
