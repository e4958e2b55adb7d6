/** Optional writes: when the disk is full, one line reports the failure and the stack continues. */

/**
 * Runs a write. Reports the first failure, and reports a later failure only after a write has succeeded again. Never
 * throws.
 */
type SpareWrite = (write: () => void) => void;

/** @param name name of the written data, for the message about a failure */
export const createSpareWrite = (name: string): SpareWrite => {
  let isFailing = false;
  return (write) => {
    try {
      write();
      isFailing = false;
    } catch (error) {
      if (!isFailing) console.error(`${name} cannot be written, the stack goes on: ${(error as Error).message}`);
      isFailing = true;
    }
  };
};
