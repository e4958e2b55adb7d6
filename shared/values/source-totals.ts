/** Totals that a source reports for parts of a month, in addition to rows. Pure. */
import * as z from 'zod';
import { decimal, text } from './fields.ts';

const GroupSchema = z.record(text(), text());
/**
 * The part of a month that a total covers: values by name, such as `{ direction: 'received', document_type: '33' }`.
 */
export type TotalGroup = z.infer<typeof GroupSchema>;

export const ToldTotalSchema = z.strictObject({
  group: GroupSchema,
  /** Amount by figure, as a plain decimal. Null if this answer does not report the figure. */
  figures: z.record(text(), decimal().nullable()),
  /** True if the source reports this total but never the rows of its part. Such a total is listed and not compared. */
  isListedOnly: z.literal(true).exactOptional(),
});
export type ToldTotal = z.infer<typeof ToldTotalSchema>;

/** All totals that one reading of a month reported. */
export interface ToldTotals {
  totals: readonly ToldTotal[];
  /** Parts of which the source reported all totals. A group of such a part without a total counts as zero. */
  whole: readonly TotalGroup[];
}
