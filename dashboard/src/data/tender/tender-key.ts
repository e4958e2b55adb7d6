/**
 * Tenders can only be read with an API key (the contract refuses a session). The key is stored only in this variable,
 * not in the address or any storage, so closing the page removes it.
 */
import { useSyncExternalStore } from 'react';

export interface TenderKey {
  key: string | null;
  /**
   * The previous key, which the API refused. The person may have lost only a letter, so the form offers the key for
   * correction.
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
