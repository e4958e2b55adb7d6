/**
 * The true movements of an account. The statements of both endpoints and the list of transfers are computed from these
 * movements (banks.md part 4).
 */
import type { Currency } from './money.ts';

export interface SandboxAccount {
  /** RUT of the company that owns the account. */
  company: string;
  number: string;
  alias: string;
  currency: Currency;
}

export interface TransferInfo {
  /** Number of the transfer; empty for some old transfers. */
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
  /** Day, YYYY-MM-DD; in the previous month if the movement is booked late. */
  day: string;
  /** HH:mm:ss */
  time: string;
  /** Day of booking. */
  booked: string;
  text: string;
  /** 12 digits; all zeros mean no document. */
  document: string;
  /** Signed amount in minor units. */
  minor: number;
  transfer: TransferInfo | null;
  /** True for a movement that is shown only while the month is open. */
  isOpenOnly: boolean;
}

/** A transfer that did not arrive, so no money moved. */
export interface FailedTransfer extends Omit<SandboxMovement, 'transfer'> {
  transfer: TransferInfo;
  state: 'RECHAZADA' | 'PENDIENTE';
}

export interface SandboxMonth {
  movements: SandboxMovement[];
  failed: FailedTransfer[];
}
