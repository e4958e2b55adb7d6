/** Trigger: every minute. Processes all items whose due time has passed. A duplicate invocation does no harm. */
import type { Context } from 'aws-lambda';
import { MESSAGING_LIMITS } from '#shared/messaging/limits.ts';
import { withLogFields } from '#shared/platform/log-context.ts';
import { waitAtMost, withPatience } from '#shared/platform/patience.ts';
import { sweep } from '#shared/recovery/sweep.ts';

export const handler = async (_firing?: unknown, context?: Context): Promise<void> =>
  withLogFields({ operation: 'sweep', request_id: context?.awsRequestId }, () =>
    withPatience(waitAtMost(MESSAGING_LIMITS.sweepBusyMs), () =>
      sweep(context && (() => context.getRemainingTimeInMillis())),
    ),
  );
