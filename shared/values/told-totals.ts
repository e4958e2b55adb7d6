/** What a source tells in total of a part of a month, beside the rows of that part. Pure. */
import * as z from 'zod';
import { decimal, text } from './fields.ts';

const GroupSchema = z.record(text(), text());
/** The part of a month that a total is of: values by name, such as `{ direction: 'received', document_type: '33' }`. */
export type TotalGroup = z.infer<typeof GroupSchema>;

export const ToldTotalSchema = z.strictObject({
  group: GroupSchema,
  /** Figure → amount as a plain decimal; null: this answer does not tell it. */
  figures: z.record(text(), decimal().nullable()),
  /** The source tells this total, and never shows rows of it: listed, and compared with nothing. */
  isListedOnly: z.literal(true).exactOptional(),
});
export type ToldTotal = z.infer<typeof ToldTotalSchema>;

/** Everything that one reading of a month was told in total. */
export interface ToldTotals {
  totals: readonly ToldTotal[];
  /** Parts whose totals were told one and all: rows of a group that is not among them stand beside a total of nothing. */
  whole: readonly TotalGroup[];
}
