/** Optional writes: when the disk is full, one line reports it and the stack continues. */

/** Runs a write; reports the first failure, and the next one only after a successful write. Never throws. */
type SpareWrite = (write: () => void) => void;

/** @param name name of the written data in the message */
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
