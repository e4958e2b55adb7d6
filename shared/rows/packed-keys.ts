/** Parts of a sort key as bytes: days as numbers, instants in milliseconds, ids without their dashes. Big-endian. */

export const DAY_BYTES = 4;
export const INSTANT_BYTES = 6;
export const ID_BYTES = 16;

export const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** A later day is a larger number; `0000-00-00` is 0. */
export const dayNumber = (day: string): number => Number(day.replaceAll('-', ''));

export const dayOfNumber = (number: number): string => {
  const digits = String(number).padStart(8, '0');
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
};

export const writeDay = (bytes: Buffer, day: string, at: number): void => {
  bytes.writeUInt32BE(dayNumber(day), at);
};

export const readDay = (bytes: Buffer, at: number): string => dayOfNumber(bytes.readUInt32BE(at));

/** 0 stands for "no instant": no source reports one at the epoch itself. */
export const writeInstant = (bytes: Buffer, instant: string, at: number): void => {
  bytes.writeUIntBE(instant === '' ? 0 : Date.parse(instant), at, INSTANT_BYTES);
};

export const readInstant = (bytes: Buffer, at: number): string | null => {
  const ms = bytes.readUIntBE(at, INSTANT_BYTES);
  return ms === 0 ? null : new Date(ms).toISOString();
};

export const writeId = (bytes: Buffer, id: string, at: number): void => {
  bytes.write(id.replaceAll('-', ''), at, ID_BYTES, 'hex');
};

export const readId = (bytes: Buffer, at: number): string => {
  const hex = bytes.toString('hex', at, at + ID_BYTES);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};
