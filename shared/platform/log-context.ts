/** What every line of one request or message says: its ids, told once where it comes in. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { LogFields } from './log-fields.ts';

const contexts = new AsyncLocalStorage<LogFields>();

/** All that `work` logs, however deep, says `fields`. Contexts may lie in each other: the inner one wins. */
export const withLogFields = <T>(fields: LogFields, work: () => T): T =>
  contexts.run({ ...contexts.getStore(), ...fields }, work);

/** Learned on the way, for the lines that follow. Outside of a context it does nothing. */
export const addLogFields = (fields: LogFields): void => {
  const store = contexts.getStore();
  if (store) Object.assign(store, fields);
};

export const contextFields = (): LogFields => contexts.getStore() ?? {};
