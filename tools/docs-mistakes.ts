/** Generates the table of typical mistakes for the page of errors. */
import { TYPICAL_MISTAKES } from './typical-mistakes.ts';

const rows = Object.entries(TYPICAL_MISTAKES).flatMap(([part, mistakes]) =>
  [...Map.groupBy(mistakes, ({ status, code }) => `${status} \`${code}\``)].map(
    ([answer, same]) => `| ${part} | ${same.map(({ mistake }) => mistake).join('; ')} | ${answer} |`,
  ),
);

/** Returns the table in Markdown: one row for each part of a request and each code. */
export const mistakeTable = (): string => ['| Part | Mistakes | Answer |', '| --- | --- | --- |', ...rows].join('\n');
