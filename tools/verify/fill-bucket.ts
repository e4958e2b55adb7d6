/** Puts objects into a bucket that will be deleted. They are more objects than S3 lists or deletes with one request. */
import type { Emulator } from './emulator.ts';

const AT_ONCE = 50;

export const fillBucket = async ({ endpoint }: Emulator, bucket: string, count: number): Promise<void> => {
  const put = async (at: number): Promise<void> => {
    const { ok, status } = await fetch(`${endpoint}/${bucket}/left-behind/${at}`, { method: 'PUT', body: String(at) });
    if (!ok) throw new Error(`object ${at} could not be put into ${bucket}: ${status}`);
  };
  for (let from = 0; from < count; from += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, at) => put(from + at)));
};
