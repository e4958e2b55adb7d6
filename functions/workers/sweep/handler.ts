/** Trigger: every minute. Whatever is past its due time is driven on. A firing that comes twice does no harm. */
import type { Context } from 'aws-lambda';
import { withLogFields } from '#shared/platform/log-context.ts';
import { sweep } from '#shared/recovery/sweep.ts';

export const handler = async (_firing?: unknown, context?: Context): Promise<void> =>
  withLogFields({ operation: 'sweep', request_id: context?.awsRequestId }, sweep);
