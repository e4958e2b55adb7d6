/**
 * Tenders are read with an API key alone (the contract refuses a session). It lives in this variable and nowhere else:
 * not in the address, not in any storage; closing the page forgets it.
 */
import { useSyncExternalStore } from 'react';

export interface TenderKey {
  key: string | null;
  /** The one before, which was not accepted: it may lack a letter, and need not be typed again. */
  refused: string | null;
}

let current: TenderKey = { key: null, refused: null };
const listeners = new Set<() => void>();

const set = (next: TenderKey): void => {
  current = next;
  for (const listener of listeners) listener();
};

export const setTenderKey = (key: string | null): void => set({ key, refused: null });
export const refuseTenderKey = (): void => set({ key: null, refused: current.key });

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useTenderKey = (): TenderKey => useSyncExternalStore(subscribe, () => current);

export const keyHeaders = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });
