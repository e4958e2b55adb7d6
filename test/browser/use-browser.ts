/**
 * Chromium over the local stack: one browser for all files. Every page is checked: no error on the console, nothing
 * refused by the content security policy, and no request to another host.
 */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect } from 'vitest';
import type { Integrator } from '#test/helpers/e2e-integrator.ts';
import { CHROMIUM, CHROMIUM_ARGUMENTS } from './chromium.ts';

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };
/** Only ends a hanging step, because a busy machine is slow. */
const STEP_TIMEOUT_MS = 30_000;

export interface Look {
  locale?: string;
  colorScheme?: 'light' | 'dark';
  viewport?: { width: number; height: number };
}

export interface Web {
  /** A page of a new browser profile without a session. */
  open(path: string, look?: Look): Promise<Page>;
  /** The same, with a session of the stage's organization. */
  signedIn(path: string, look?: Look): Promise<Page>;
  /** Registers part of a console message that the story causes on purpose, so that it is no finding. */
  expects(part: string): void;
}

/** All stories of a file, if a browser is installed. */
export const stories = describe.runIf(CHROMIUM !== null);

/** Launched by the first file, and ended with the process: all files of the project run in one process. */
let launched: Promise<Browser> | undefined;
const launch = (executablePath: string): Promise<Browser> => {
  launched ??= chromium.launch({ executablePath, args: CHROMIUM_ARGUMENTS });
  return launched;
};

/** @param stage its page and its API have the same origin */
export const useBrowser = (stage: { readonly stack: { readonly apiUrl: string }; readonly api: Integrator }): Web => {
  let browser: Browser | undefined;
  let contexts: BrowserContext[] = [];
  let findings: string[] = [];
  let expected: string[] = [];

  beforeAll(async () => {
    if (CHROMIUM !== null) browser = await launch(CHROMIUM);
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
      // Before the sign-in the API answers 401, from which the page knows it.
      if (message.type() === 'error' && !/status of 401/.test(message.text())) findings.push(message.text());
    });
    page.on('request', (request) => {
      const { origin: asked, protocol } = new URL(request.url());
      if (asked !== origin && !/^(?:data|blob):$/.test(protocol)) findings.push(`asks ${asked}`);
    });
  };

  const contextOf = async ({ locale = 'es-CL', colorScheme = 'light', viewport = DESKTOP }: Look = {}) => {
    const context = await browser!.newContext({
      baseURL: stage.stack.apiUrl,
      locale,
      colorScheme,
      viewport,
      acceptDownloads: true,
    });
    context.setDefaultTimeout(STEP_TIMEOUT_MS);
    contexts.push(context);
    return context;
  };
  const pageOf = async (context: BrowserContext, path: string): Promise<Page> => {
    const page = await context.newPage();
    watch(page, stage.stack.apiUrl);
    await page.goto(path);
    return page;
  };

  return {
    open: async (path, look) => pageOf(await contextOf(look), path),
    signedIn: async (path, look) => {
      const context = await contextOf(look);
      const { apiUrl: url } = stage.stack;
      const value = stage.api.file.session;
      await context.addCookies([{ name: 'sb-access-token', value, url, httpOnly: true, sameSite: 'Lax' }]);
      return pageOf(context, path);
    },
    expects: (part) => void expected.push(part),
  };
};
