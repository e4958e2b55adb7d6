/**
 * Fields of every log line of one request or message. They contain the ids of the request or message and are set once
 * at the entry.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { LogFields } from './log-fields.ts';

const contexts = new AsyncLocalStorage<LogFields>();

/** Adds `fields` to all log lines of `work`. In nested contexts, the inner values win. */
export const withLogFields = <T>(fields: LogFields, work: () => T): T =>
  contexts.run({ ...contexts.getStore(), ...fields }, work);

/** Adds fields for the log lines that follow. Does nothing outside a context. */
export const addLogFields = (fields: LogFields): void => {
  const store = contexts.getStore();
  if (store) Object.assign(store, fields);
};

export const contextFields = (): LogFields => contexts.getStore() ?? {};
