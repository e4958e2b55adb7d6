/** axe on a page as it stands: what hinders a person seriously. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const GRAVE = new Set(['serious', 'critical']);

/** A dialog that is still fading in has too little contrast for a moment. What turns for ever is not waited for. */
const STANDS_STILL = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect?.getTiming().iterations !== Infinity)
  .map(({ finished }) => finished))`;

/** One line per finding: rule, element, what is wrong. */
export const seriousFindings = async (page: Page): Promise<string[]> => {
  // Evaluated by the debugger: a script element would be refused by the content security policy.
  await page.evaluate(AXE);
  await page.evaluate(STANDS_STILL);
  const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as AxeResults;
  return violations
    .filter(({ impact }) => GRAVE.has(impact ?? ''))
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
    );
};
