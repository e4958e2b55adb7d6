/**
 * Writes that the stack can do without. When the disk is full, one line reports the failure and the stack continues.
 */

/**
 * Runs a write and never throws. It reports the first failure, and another failure only if a write succeeded in
 * between.
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
