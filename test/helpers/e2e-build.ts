/** Before the first story of all: bundles and assembly, so that stacks that start side by side find them made. */
import { bundleFunctions, synthesizeLocalStage } from '#infra/local/build.ts';

export const setup = async (): Promise<void> => {
  await bundleFunctions();
  await synthesizeLocalStage();
};
