/**
 * Chromium over the local stack of one test file. Every page is watched: no error on the console, nothing that the
 * content security policy refused, no request to anybody else.
 */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { CHROMIUM, CHROMIUM_ARGUMENTS } from './chromium.ts';

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };
/** For a hanging step only: a busy machine is slow. */
const STEP_TIMEOUT_MS = 30_000;

export interface Look {
  locale?: string;
  colorScheme?: 'light' | 'dark';
  viewport?: { width: number; height: number };
}

export interface Web {
  /** A page of a fresh browser profile, which nobody signed in. */
  open(path: string, look?: Look): Promise<Page>;
  /** The same, after the development sign-in. */
  signedIn(path: string, look?: Look): Promise<Page>;
  /** What a story brings about on purpose, so that it is no finding: part of a console message. */
  expects(part: string): void;
}

/** All of a file's stories, where there is a browser. */
export const stories = describe.runIf(CHROMIUM !== null);

/** @param stage whose page it is, and whose API: one origin */
export const useBrowser = (stage: { readonly stack: { readonly apiUrl: string } }): Web => {
  let browser: Browser | undefined;
  let contexts: BrowserContext[] = [];
  let findings: string[] = [];
  let expected: string[] = [];

  beforeAll(async () => {
    if (CHROMIUM === null) return;
    browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_ARGUMENTS });
  });
  afterAll(async () => {
    await browser?.close();
  });
  afterEach(async () => {
    const found = findings.filter((text) => !expected.some((part) => text.includes(part)));
    await Promise.all(contexts.map((context) => context.close()));
    [contexts, findings, expected] = [[], [], []];
    expect(found).toEqual([]);
  });

  const watch = (page: Page, origin: string): void => {
    page.on('pageerror', (error) => findings.push(`error: ${error.message}`));
    page.on('console', (message) => {
      // Before the sign-in the API says 401: that is how the page knows.
      if (message.type() === 'error' && !/status of 401/.test(message.text())) findings.push(message.text());
    });
    page.on('request', (request) => {
      const { origin: asked, protocol } = new URL(request.url());
      if (asked !== origin && !/^(?:data|blob):$/.test(protocol)) findings.push(`asks ${asked}`);
    });
  };

  const open = async (path: string, { locale = 'es-CL', colorScheme = 'light', viewport = DESKTOP }: Look = {}) => {
    const origin = stage.stack.apiUrl;
    const context = await browser!.newContext({
      baseURL: origin,
      locale,
      colorScheme,
      viewport,
      acceptDownloads: true,
    });
    context.setDefaultTimeout(STEP_TIMEOUT_MS);
    contexts.push(context);
    const page = await context.newPage();
    watch(page, origin);
    await page.goto(path);
    return page;
  };

  return {
    open,
    signedIn: async (path, look) => {
      const page = await open('/', look);
      await page.getByRole('button', { name: /entorno de desarrollo|development environment/ }).click();
      await page.getByRole('navigation').waitFor();
      if (path !== '/') await page.goto(path);
      return page;
    },
    expects: (part) => void expected.push(part),
  };
};
