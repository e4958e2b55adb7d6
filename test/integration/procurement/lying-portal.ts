/** The engine over a portal that lies where a test says so, and tells the truth again after each. */
import { afterAll, afterEach, beforeAll } from 'vitest';
import { sourceBaseUrlVariable } from '#shared/platform/needs.ts';
import { type Liar, startLiar } from '#test/fakes/liar.ts';
import { type Portal, startPortal } from '#test/helpers/procurement-engine.ts';

/** Both are there from the first `beforeAll` on that is registered after this call. */
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
