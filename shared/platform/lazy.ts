/** Made at first use, and kept as long as the environment lives. */
export const lazy = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};
