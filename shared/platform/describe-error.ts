/**
 * Returns name, causes and location of an unknown error. Messages are left out, because they may quote the data that
 * caused the error.
 */
import type { LogFields } from './log-fields.ts';

const FRAMES_MAX = 4;
const CAUSES_MAX = 5;
const FRAME = /^\s+at .+:\d+:\d+\)?$/;

/**
 * Returns the frames of the stack. The message at the start of the stack is removed, since a quoted answer of an
 * institution may contain lines that look like stack frames.
 */
const framesOf = ({ stack = '', message }: Error): string[] => {
  const at = message === '' ? -1 : stack.indexOf(message);
  return stack
    .slice(at < 0 ? 0 : at + message.length)
    .split('\n')
    .filter((line) => FRAME.test(line))
    .slice(0, FRAMES_MAX)
    .map((line) => line.trim());
};

const causesOf = (error: Error): string[] => {
  const names: string[] = [];
  let { cause } = error;
  while (cause instanceof Error && names.length < CAUSES_MAX) {
    names.push(cause.name);
    ({ cause } = cause);
  }
  return names;
};

export const describeError = (error: unknown): Pick<LogFields, 'error_name' | 'error_causes' | 'error_at'> => {
  if (!(error instanceof Error)) return { error_name: typeof error };
  const causes = causesOf(error);
  return {
    error_name: error.name,
    error_at: framesOf(error).join(' < '),
    ...(causes.length === 0 ? {} : { error_causes: causes.join(' < ') }),
  };
};
