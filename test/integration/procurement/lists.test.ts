/** Lists below a tender over a real table, against a plain model; test/unit/scopes runs a thousand cases of each. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Row } from '#shared/scopes/scope.ts';
import { runs } from '#test/helpers/effort.ts';
import { list, NAMES, useProcurement } from '#test/helpers/procurement.ts';
import { judgePage, judgeWhole, readings, tell } from '#test/helpers/tender-model.ts';

useProcurement();

test.each(NAMES)(
  '%s: pages and totals are those of a plain model',
  async (name) => {
    await fc.assert(
      fc.asyncProperty(readings, fc.integer({ min: 1, max: 5 }), async (history, limit) => {
        const told = await tell(name, history);
        if (told.isUnknown) {
          expect((await list(name, told.codigo)).status).toBe(404);
          return;
        }
        const served: Row[] = [];
        do served.push(...(await judgePage(name, told, { limit, offset: served.length })));
        while (served.length < told.expected.length);
        judgeWhole(name, told, served);
      }),
      { numRuns: runs(40) },
    );
  },
  60_000,
);
