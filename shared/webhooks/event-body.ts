/**
 * Builds the body that receivers get. Its bytes are built once and are the same in each attempt, because a rebuilt body
 * may differ in one byte and then fails the receiver's signature check (architecture.md §9, B21). Pure.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { EventType } from '#shared/values/event-types.ts';

export interface EventBody {
  type: EventType;
  /** ISO 8601 UTC with milliseconds: `timestamp` of the payload. */
  at: string;
  /** `data` of the payload, camelCase. */
  data: Readonly<Record<string, unknown>>;
}

/** Returns the exact payload that receivers get, as text. It is sent as UTF-8. */
export const writePayload = ({ type, at, data }: EventBody): string => JSON.stringify({ type, timestamp: at, data });

/**
 * Returns the stored form of the body. It is deflated, so that delivery and body together take one write unit of the
 * table.
 */
export const packBody = (payload: string): Uint8Array => deflateRawSync(payload);

/** Returns exactly the bytes that were packed. */
export const unpackBody = (packed: Uint8Array): Uint8Array => inflateRawSync(packed);
