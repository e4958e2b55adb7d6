/**
 * Returns the entry of a map or record. The caller knows that the entry exists; if it is missing, throws instead of
 * returning undefined.
 */
export function mustGet<Key, Value>(entries: ReadonlyMap<Key, Value>, key: Key): Value;
export function mustGet<Value>(entries: Readonly<Record<string, Value>>, key: string): Value;
export function mustGet(
  entries: ReadonlyMap<unknown, unknown> | Readonly<Record<string, unknown>>,
  key: unknown,
): unknown {
  const value = entries instanceof Map ? entries.get(key) : (entries as Record<string, unknown>)[key as string];
  if (value === undefined) throw new Error('an entry is missing that must be there');
  return value;
}
