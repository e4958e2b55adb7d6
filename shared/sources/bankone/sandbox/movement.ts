/** The truth: what moved on an account. Both endpoints and the transfers are views of it (banks.md part 4). */
import type { Currency } from './money.ts';

export interface SandboxAccount {
  /** RUT of its company. */
  company: string;
  number: string;
  alias: string;
  currency: Currency;
}

export interface TransferInfo {
  /** Empty for some old ones. */
  number: string;
  subject: string;
  rut: string;
  name: string;
  bankCode: string;
  bank: string;
}

export interface SandboxMovement {
  /** Number within the month, from 1. */
  n: number;
  /** YYYY-MM-DD; of the month before when it is booked late. */
  day: string;
  /** HH:mm:ss */
  time: string;
  /** Day of booking. */
  booked: string;
  text: string;
  /** 12 digits; zeros are none. */
  document: string;
  /** Signed, in minor units. */
  minor: number;
  transfer: TransferInfo | null;
  /** Shown while the month is open, gone when it is closed. */
  isOpenOnly: boolean;
}

/** Tried and not arrived: no money moved. */
export interface FailedTransfer extends Omit<SandboxMovement, 'transfer'> {
  transfer: TransferInfo;
  state: 'RECHAZADA' | 'PENDIENTE';
}

export interface SandboxMonth {
  movements: SandboxMovement[];
  failed: FailedTransfer[];
}
