/** The engine over a portal that gives wrong answers where a test says so, and right answers again after each test. */
import { afterAll, afterEach, beforeAll } from 'vitest';
import { sourceBaseUrlVariable } from '#shared/platform/needs.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { type Liar, type Lie, startLiar } from '#test/fakes/liar.ts';
import { type Portal, startPortal } from '#test/helpers/procurement-engine.ts';

export let portal: Portal;
export let liar: Liar;

/** Call at the top of a test file. Both are set from the first `beforeAll` on that is registered after this call. */
export const useLyingPortal = (): void => {
  beforeAll(async () => {
    portal = await startPortal();
    liar = await startLiar(portal.url);
    process.env[sourceBaseUrlVariable('procurement')] = liar.url;
  });
  afterEach(() => {
    liar.lie = () => undefined;
    portal.world.dieAt(Number.POSITIVE_INFINITY);
  });
  afterAll(async () => {
    await liar.close();
    await portal.stop();
  });
};

/** Changes the answers of the forum. */
export const inQuestions =
  (change: (list: Row[]) => Row[]): Lie =>
  ({ url, body }) =>
    url.includes('servicesPub') ? JSON.stringify(change(JSON.parse(body.toString()))) : undefined;
