/**
 * Faults by credential. The web side is anonymous, so the buying unit of a tender selects the credential. A fault
 * depends on the credential's counts since the start or the last `reset` (control endpoint), never on chance or time.
 */
import type { SharedBehaviour, SharedFault } from '../../sandbox-kit/lies.ts';

export type Behaviour =
  | SharedBehaviour
  | 'ticket_rejected'
  | 'quota'
  | 'gateway'
  | 'other_tender'
  | 'unknown_tender'
  | 'private_tender'
  | 'maintenance'
  | 'blocked_listing'
  | 'blocked'
  | 'firewall'
  | 'stale_files'
  | 'junk_file';

export type ProcurementFault = SharedFault | 'busy' | 'quota' | 'gateway' | 'page' | 'maintenance';

/** Returns the fault of the ticket's API call number `n`. With the first call, the adapter checks the ticket. */
export const apiFault = (behaviour: Behaviour, n: number): ProcurementFault => {
  if (behaviour === 'rate_limited') return n >= 2 && n <= 6 ? 'busy' : 'none';
  if (behaviour === 'gateway') return n === 2 || n === 3 ? 'gateway' : 'none';
  if (behaviour === 'quota') return 'quota';
  if (behaviour === 'server_error') return 'error';
  if (behaviour === 'maintenance') return 'maintenance';
  if (n === 1) return 'none';
  return (
    ({ slow: 'slow', page_for_data: 'page', cut_off: 'cut', truncated: 'truncate' }[
      behaviour as string
    ] as ProcurementFault) ?? 'none'
  );
};

export type WebFault = ProcurementFault | 'gate' | 'scored' | 'forbidden';

/** Returns the fault of a page of the web side. */
export const webFault = (
  behaviour: Behaviour,
  page: 'ficha' | 'preguntas' | 'anexo' | 'oferta' | 'other',
): WebFault => {
  if (behaviour === 'server_error') return 'error';
  if (behaviour === 'maintenance') return 'maintenance';
  if (behaviour === 'firewall') return 'forbidden';
  if (behaviour === 'blocked') return 'gate';
  if (behaviour === 'blocked_listing')
    return { anexo: 'scored' as const, oferta: 'gate' as const }[page as string] ?? 'none';
  if (page !== 'ficha' && page !== 'preguntas') return 'none';
  if (behaviour === 'page_for_data') return page === 'preguntas' ? 'page' : 'none';
  return ({ slow: 'slow', cut_off: 'cut', truncated: 'truncate' }[behaviour as string] as WebFault) ?? 'none';
};
