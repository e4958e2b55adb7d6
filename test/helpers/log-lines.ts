import { vi } from 'vitest';

/**
 * Captures everything that this process prints until mocks are restored: the logger writes to the streams themselves.
 */
export const captureLog = (): { text(): string } => {
  const lines: string[] = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((chunk: unknown) => {
      lines.push(String(chunk));
      return true;
    });
  return { text: () => lines.join('') };
};
