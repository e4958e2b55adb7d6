/** axe on the page in its present state. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A dialog that is still fading in has too little contrast for a moment. Endless animations are not awaited. */
const STANDS_STILL = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect?.getTiming().iterations !== Infinity)
  .map(({ finished }) => finished))`;

/** Returns findings of any grade, a line each: rule, element, what is wrong. */
export const allFindings = async (page: Page): Promise<string[]> => {
  // The debugger evaluates it, because the content security policy would refuse a script element.
  await page.evaluate(AXE);
  await page.evaluate(STANDS_STILL);
  const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
};
