/** Limits for the product's cost per month or per million operations, compared with the current cost. */
import { ASSUMED } from './assumed.ts';
import { idleMonth, type Line, millionPages, millionWebhooks, scopeMonth, sumLines } from './bills.ts';
import type { Counted } from './counted.ts';
import type { StageBill } from './stage-bill.ts';

export interface Bound {
  what: string;
  /** The limit, in dollars. `is` is the current cost, also in dollars. */
  atMost: number;
  is: number;
  /** Says why the limit is missed, that is, why the cost exceeds it. Null if the cost is within the limit. */
  missing: string | null;
}

interface Promise {
  what: string;
  atMost: number;
  lines: Line[];
  /** Change that would bring the cost below the limit; shown while the cost exceeds it. */
  mend: string;
}

export const listBounds = (dev: StageBill, prod: StageBill, counted: Counted): Bound[] => {
  const promises: Promise[] = [
    {
      what: 'idle month of `dev`',
      atMost: 11,
      lines: idleMonth(dev, counted),
      mend: 'fewer alarms, queues, boards or metrics that are written while nobody calls',
    },
    {
      what: 'idle month of `prod`',
      atMost: 14,
      lines: idleMonth(prod, counted),
      mend: 'fewer alarms, queues, boards or metrics that are written while nobody calls',
    },
    {
      what: 'a million list pages, gzip, `prod`',
      atMost: 3.6,
      lines: millionPages(prod, counted, true),
      mend: 'rows read eventually consistent where the period was last written over a minute ago: half their read units',
    },
    {
      what: `a million webhooks, ${ASSUMED.webhooksAKey} an endpoint in five minutes, \`prod\``,
      atMost: 9,
      lines: millionWebhooks(prod, counted, 'often'),
      mend: 'fewer writes: docs/adr/0027 tells what an attempt writes, and why',
    },
    {
      what: 'a month of a scope, hourly, `prod`',
      atMost: 0.2,
      lines: scopeMonth(prod, counted.operations.syncAgain, 24),
      mend: 'more tasks that share an invocation: docs/adr/0037',
    },
  ];
  return promises.map(({ what, atMost, lines, mend }) => {
    const is = sumLines(lines);
    return { what, atMost, is, missing: is <= atMost ? null : mend };
  });
};
