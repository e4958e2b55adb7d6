/** Trigger: every minute. Whatever is past its due time is driven on. A firing that comes twice does no harm. */
import { sweep } from '#shared/engine/sweep.ts';

export const handler = async (): Promise<void> => sweep();
