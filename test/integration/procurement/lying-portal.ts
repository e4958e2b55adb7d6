/** The engine over a portal that gives wrong answers where a test says so, and right answers again after each test. */
import { afterAll, afterEach, beforeAll } from 'vitest';
import { sourceBaseUrlVariable } from '#shared/platform/needs.ts';
import { type Liar, startLiar } from '#test/fakes/liar.ts';
import { type Portal, startPortal } from '#test/helpers/procurement-engine.ts';

/** Both fields are set from the first `beforeAll` on that is registered after this call. */
export const useLyingPortal = (): { portal: Portal; liar: Liar } => {
  const lying = {} as { portal: Portal; liar: Liar };
  beforeAll(async () => {
    lying.portal = await startPortal();
    lying.liar = await startLiar(lying.portal.url);
    process.env[sourceBaseUrlVariable('procurement')] = lying.liar.url;
  });
  afterEach(() => {
    lying.liar.lie = () => undefined;
    lying.portal.world.dieAt(Number.POSITIVE_INFINITY);
  });
  afterAll(async () => {
    await lying.liar.close();
    await lying.portal.stop();
  });
  return lying;
};
