/**
 * Lists below a tender against a plain model, a thousand pages per list, over a table of maps;
 * test/integration/procurement does the same over a real table.
 */
import fc from 'fast-check';
import { beforeAll, expect, test, vi } from 'vitest';
import { type Credential, callersOf } from '#test/helpers/callers.ts';
import { runs } from '#test/helpers/effort.ts';
import { NAMES, OURS } from '#test/helpers/procurement.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';
import { judgePage, judgeWhole, readings, tell } from '#test/helpers/tender-model.ts';

vi.mock('#shared/table/table.ts', () => import('#test/fakes/memory-table.ts'));

const HISTORIES = 100;
const PAGES_OF_EACH = 10;
/** More rows than a history can have. */
const WHOLE = { limit: 200, offset: 0 };

const pages = fc.array(fc.record({ limit: fc.integer({ min: 1, max: 15 }), offset: fc.nat(16) }), {
  minLength: PAGES_OF_EACH,
  maxLength: PAGES_OF_EACH,
});

let who: Credential;
beforeAll(async () => {
  useSharedSecretIssuer();
  who = (await callersOf(OURS)).key;
});

const known = readings.filter(({ length }) => length > 0);

test.each(NAMES)(
  '%s: any page of any history is that of a plain model',
  async (name) => {
    await fc.assert(
      fc.asyncProperty(known, pages, async (history, asked) => {
        const told = await tell(name, history);
        const whole = await judgePage(name, told, WHOLE, who);
        judgeWhole(name, told, whole);
        for (const page of asked)
          expect(await judgePage(name, told, page, who)).toEqual(whole.slice(page.offset, page.offset + page.limit));
      }),
      { numRuns: runs(HISTORIES) },
    );
  },
  60_000,
);
