/** One movement that the simulated bank holds. Money is in signed hundredths, as on the wire. */
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
  /** First day on which the bank shows the movement, because bookings may arrive late. */
  visibleFrom: string;
}

/** A movement with the book balance after it. The balance is computed and never stored. */
export interface BookedMovement extends SandboxMovement {
  balanceCentavos: number;
}

/** Code for the deposit of a cheque, whose amount is withheld for some days. */
export const CHEQUE = 'DEPC';
