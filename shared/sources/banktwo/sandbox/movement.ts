/** One movement as the simulated bank holds it. Money is in hundredths, signed: the wire writes it so. */
export interface SandboxMovement {
  number: number;
  /** Days, YYYY-MM-DD. */
  transactionDate: string;
  accountingDate: string;
  /** HH:mm:ss */
  operationTime: string;
  centavos: number;
  mnemonic: string;
  category: string | null;
  observation: string;
  counterparty: { rut: string; name: string; bankCode: string; accountNumber: string } | null;
  /** First day on which the bank shows it: bookings may arrive late. */
  visibleFrom: string;
}

/** With the book balance after it, which is computed, never held. */
export interface BookedMovement extends SandboxMovement {
  balanceCentavos: number;
}

/** Deposit of a cheque: its amount is withheld for some days. */
export const CHEQUE = 'DEPC';
