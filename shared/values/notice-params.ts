/**
 * Figures of a notice, so that a client can build its sentence in the reader's language. All are optional: a notice has
 * those that its message names.
 */
import * as z from 'zod';
import { day, period } from './fields.ts';

export const NoticeParams = z.object({
  period: period().optional().describe('Month that the notice is about.'),
  periods: z.array(period()).optional().describe('Other months that it names.'),
  since: day().optional().describe('First day that the institution still shows.'),
  tender: z.string().optional().describe('Code of a tender.'),
  account: z.string().optional().describe('Number of an account.'),
  document_type: z.string().optional().describe('Code of a document type.'),
  direction: z.enum(['issued', 'received']).optional(),
  connections: z.array(z.string()).optional().describe('Ids of other connections.'),
  file: z.string().optional().describe('Name of a file, as the institution writes it.'),
  count: z.int().min(0).optional().describe('How many rows, lines, accounts or files it is about.'),
  total: z.int().min(0).optional().describe('Of how many, or how many the institution says that there are.'),
  stops_at: z.string().optional().describe('Balance after which the movements do not go on.'),
  resumes_at: z.string().optional().describe('Balance from which they go on.'),
});
/** What was read: a month or a tender. */
export type ReadUnit = Pick<NoticeParams, 'period' | 'tender'>;

export interface NoticeParams extends z.infer<typeof NoticeParams> {}

export const monthUnit = (month: string | null): ReadUnit => (month === null ? {} : { period: month });

/** Returns the beginning of a notice's message, for example `2026-10: `. */
export const beginWithUnit = ({ period: month, tender }: ReadUnit): string => {
  const unit = tender ?? month;
  return unit === undefined ? '' : `${unit}: `;
};
