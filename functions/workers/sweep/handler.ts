/** Trigger: every minute. Processes all items past their due time. A duplicate firing does no harm. */
import type { Context } from 'aws-lambda';
import { withLogFields } from '#shared/platform/log-context.ts';
import { sweep } from '#shared/recovery/sweep.ts';

export const handler = async (_firing?: unknown, context?: Context): Promise<void> =>
  withLogFields({ operation: 'sweep', request_id: context?.awsRequestId }, sweep);
