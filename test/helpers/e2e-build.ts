/** Runs before the first story: builds bundles and assembly, so that stacks which start in parallel find them. */
import { bundleFunctions, synthesizeLocalStage } from '#tools/local/build.ts';

export const setup = async (): Promise<void> => {
  // A running stack needs no build.
  if (process.env.STACK_FILE) return;
  await bundleFunctions();
  await synthesizeLocalStage();
};
