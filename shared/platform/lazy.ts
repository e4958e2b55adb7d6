/** Creates the value at first use and caches it for the lifetime of the environment. */
export const lazy = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};
