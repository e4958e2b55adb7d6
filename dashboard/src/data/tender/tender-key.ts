/**
 * The API key with which tenders are read (the API refuses a session for tenders). The key is stored only in this
 * variable and not in the address or any storage, so it is gone when the page is closed.
 */
import { useSyncExternalStore } from 'react';

export interface TenderKey {
  key: string | null;
  /**
   * The key that the API refused. The form offers it for correction, because the person may have mistyped only one
   * letter.
   */
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
