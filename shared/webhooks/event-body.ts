/**
 * What receivers are sent. The bytes are built once, and each attempt sends the same: a body that is built again may differ
 * in one byte, and then no receiver can verify it (architecture.md §9, B21). Pure.
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

/** The payload exactly as receivers get it, as text: its bytes are those of UTF-8. */
export const writePayload = ({ type, at, data }: EventBody): string => JSON.stringify({ type, timestamp: at, data });

/** As each delivery keeps it: deflated, so that delivery and body together are one unit of the table. */
export const packBody = (payload: string): Uint8Array => deflateRawSync(payload);

/** The bytes that were packed, each of them. */
export const unpackBody = (packed: Uint8Array): Uint8Array => inflateRawSync(packed);
