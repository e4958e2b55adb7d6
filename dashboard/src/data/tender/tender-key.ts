/**
 * Tenders are read with an API key alone (the contract refuses a session). It lives in this variable and nowhere else:
 * not in the address, not in any storage; closing the page forgets it.
 */
import { useSyncExternalStore } from 'react';

export interface TenderKey {
  key: string | null;
  /** The one before was not accepted. */
  wasRefused: boolean;
}

let current: TenderKey = { key: null, wasRefused: false };
const listeners = new Set<() => void>();

const set = (next: TenderKey): void => {
  current = next;
  for (const listener of listeners) listener();
};

export const setTenderKey = (key: string | null): void => set({ key, wasRefused: false });
export const refuseTenderKey = (): void => set({ key: null, wasRefused: true });

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useTenderKey = (): TenderKey => useSyncExternalStore(subscribe, () => current);

export const keyHeaders = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });
