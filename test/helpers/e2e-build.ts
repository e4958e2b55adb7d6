/** Before the first story of all: bundles and assembly, so that stacks that start side by side find them made. */
import { bundleFunctions, synthesizeLocalStage } from '#tools/local/build.ts';

export const setup = async (): Promise<void> => {
  // A stack that runs already needs nothing made.
  if (process.env.STACK_FILE) return;
  await bundleFunctions();
  await synthesizeLocalStage();
};
