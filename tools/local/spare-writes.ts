/** Writes that the stack can do without: when the disk is full, one line says so, and the stack goes on. */

/** Runs a write; tells the first failure, and the next one only after a write that succeeded. Never throws. */
type SpareWrite = (write: () => void) => void;

/** @param name of what is written, for the line */
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
