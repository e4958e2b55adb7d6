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
  /** True if the source reports this total but never its rows. Such a total is listed and not compared. */
  isListedOnly: z.literal(true).exactOptional(),
});
export type ToldTotal = z.infer<typeof ToldTotalSchema>;

/** All totals that one reading of a month reported. */
export interface ToldTotals {
  totals: readonly ToldTotal[];
  /** Parts whose totals were reported completely. For a group without a total, the total is zero. */
  whole: readonly TotalGroup[];
}
