/** What a browser measures on a page. */
import type { Page } from 'playwright-core';

/** Returns the paths of the requests to the API, in the order of their start. */
export const listRequests = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`performance.getEntriesByType('resource')
    .map(({ name }) => new URL(name)).map(({ pathname, search }) => pathname + search)
    .filter((path) => /^\\/(?:api\\/|session)/.test(path))`);

/** Returns by how many pixels the page is wider than its screen. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
