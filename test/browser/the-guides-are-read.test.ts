import { expect, test } from 'vitest';
import { useSharedStack } from '#test/helpers/e2e-stack.ts';
import { allFindings } from './accessibility.ts';
import { overflow } from './page-measures.ts';
import { PHONE, stories, useBrowser } from './use-browser.ts';

const stage = useSharedStack('seeded');
const web = useBrowser(stage);

const GUIDES = [
  '/docs',
  '/docs/sandbox',
  '/docs/mirror',
  '/docs/webhooks',
  '/docs/reading',
  '/docs/errors',
  '/docs/glossary',
];
const REFERENCE = ['/docs/reference', '/docs/reference-sync', '/docs/reference-webhooks'];

stories('the guides are read', () => {
  test.each([...GUIDES, ...REFERENCE])('%s: nothing hinders a person', async (path) => {
    const page = await web.open(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await allFindings(page)).toEqual([]);
  });

  test('a narrow screen scrolls code and tables, and not the page', async () => {
    for (const path of GUIDES) {
      const page = await web.open(path, { viewport: PHONE });
      expect(await overflow(page), path).toBe(0);
    }
  });

  test('programs find the list and its pages next to the web page', async () => {
    const { origin } = new URL(stage.stack.apiUrl);
    const list = await (await fetch(`${origin}/llms.txt`)).text();
    const [, address] = /\]\((\/docs\/webhooks\.md)\)/.exec(list)!;
    const guide = await fetch(`${origin}${address}`);
    expect(guide.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(await guide.text()).toMatch(/^# Webhooks\n/);
  });

  test('from the start to the code that verifies a webhook, only by keyboard', async () => {
    const page = await web.open('/docs');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs#content');
    await page.getByRole('main').getByRole('link', { name: 'Webhooks' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Verify', exact: true }).waitFor();
    expect(await page.getByRole('region', { name: /^Python \d+: Verify$/ }).innerText()).toContain('hmac');
  });

  test('the interactive page is another party’s: what hinders in it is counted, and grows no further', async () => {
    const page = await web.open('/docs/try');
    await page.locator('.opblock').first().waitFor();
    const findings = await allFindings(page);
    const rules = Object.groupBy(findings, (finding) => finding.split(' ')[0]!);
    const operations = await page.locator('.opblock').count();
    // Known findings in swagger-ui: per operation a pale path and a button within a button; three pale words, an unnamed
    // list, and its own `main` within ours. If ours were a `div`, what is outside of its `main` would be found.
    expect(Object.fromEntries(Object.entries(rules).map(([rule, found]) => [rule, found!.length]))).toEqual({
      'color-contrast': operations + 3,
      'nested-interactive': operations,
      'select-name': 1,
      'landmark-main-is-top-level': 1,
      'landmark-no-duplicate-main': 1,
      'landmark-unique': 1,
    });
  });
});
