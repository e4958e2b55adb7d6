/** Reads all filtered rows once, page by page, and adds each row to sums. The rows themselves are not stored. */
import { useEffect, useRef, useState } from 'react';
import { beginning, type Position, readNext } from '../read-rows.ts';
import type { Row } from '../resource.ts';
import { readList, type ScopeList } from '../scope-list.ts';

/** Highest number of rows, which takes 25 requests, that is read without a click of the person. */
export const ROWS_UNASKED = 5_000;

export type RowReading<T> =
  | { step: 'reading'; position: Position }
  | { step: 'asking'; total: number }
  | { step: 'failed'; error: unknown }
  | { step: 'done'; result: T };

export interface Sums<T> {
  add(rows: readonly Row[]): void;
  result(): T;
}

/**
 * Starts to read immediately. If the first page reports more than `ROWS_UNASKED` rows, the reading stops until the
 * person agrees. A component with another `key` starts a new reading.
 */
export const useAllRows = <T>(list: ScopeList, filtered: URLSearchParams, sumsOf: () => Sums<T>) => {
  const [reading, setReading] = useState<RowReading<T>>({ step: 'reading', position: beginning() });
  const stop = useRef<AbortController>(new AbortController());

  const read = async (isAskedFor: boolean): Promise<void> => {
    stop.current.abort();
    const mine = new AbortController();
    stop.current = mine;
    const sums = sumsOf();
    const position = beginning();
    const readPage = ({ limit, offset }: { limit: number; offset: number }) =>
      readList(
        list,
        new URLSearchParams([...filtered, ['limit', String(limit)], ['offset', String(offset)]]),
        mine.signal,
      );
    setReading({ step: 'reading', position: { ...position } });
    try {
      while (!position.isOver) {
        sums.add(await readNext(readPage, position));
        if (!isAskedFor && (position.total ?? 0) > ROWS_UNASKED)
          return setReading({ step: 'asking', total: position.total ?? 0 });
        setReading({ step: 'reading', position: { ...position } });
      }
      setReading({ step: 'done', result: sums.result() });
    } catch (error) {
      if (!mine.signal.aborted) setReading({ step: 'failed', error });
    }
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: another list or filter is another reader, by its key
  useEffect(() => {
    void read(false);
    return () => stop.current.abort();
  }, []);

  return {
    reading,
    start: () => void read(true),
    cancel: () => {
      stop.current.abort();
      if (reading.step === 'reading') setReading({ step: 'asking', total: reading.position.total ?? 0 });
    },
  };
};
