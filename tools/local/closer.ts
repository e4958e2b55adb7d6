/**
 * Closes all opened parts of a stack in reverse order. If closing one part fails, the remaining parts are still closed.
 */
export const createCloser = () => {
  const steps: (() => unknown)[] = [];
  let closing: Promise<void> | undefined;
  const closeAll = async () => {
    for (const step of steps.reverse()) {
      try {
        await step();
      } catch (error) {
        console.error('closing:', error);
      }
    }
  };
  return {
    add: (step: () => unknown) => steps.push(step),
    close: () => {
      closing ??= closeAll();
      return closing;
    },
  };
};
