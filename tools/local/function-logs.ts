/**
 * Writes the unchanged output of each function to `<DATA_DIR>/logs/<function id>.log`, in at most two files of limited
 * size per function.
 */
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createSpareWrite } from './spare-writes.ts';

const LOG_BYTES_MAX = 5 * 1024 * 1024;

export interface FunctionLogs {
  /** Never throws, so that an invocation does not fail because of its log. */
  write(functionId: string, text: Buffer | string): void;
}

export const openFunctionLogs = (folder: string): FunctionLogs => {
  mkdirSync(folder, { recursive: true });
  const sizes = new Map<string, number>();
  const spareWrite = createSpareWrite('function logs');
  const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return {
    write(functionId, text) {
      const path = join(folder, `${functionId}.log`);
      spareWrite(() => {
        const size = (sizes.get(path) ?? sizeOf(path)) + Buffer.byteLength(text);
        // The size is read again at the next write, because a failed write may have written a part of the text.
        sizes.delete(path);
        if (size > LOG_BYTES_MAX) renameSync(path, `${path}.1`);
        // The write is synchronous, so that the last line before a crash of the runner is in the file.
        appendFileSync(path, text);
        sizes.set(path, size > LOG_BYTES_MAX ? Buffer.byteLength(text) : size);
      });
    },
  };
};
