/**
 * Environment of a program that a test starts, without vitest's variables for its workers: the program may run vitest
 * itself.
 */
export const outsideEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:VITEST|TEST$|NODE_ENV$|POWERTOOLS_|TINYPOOL)/.test(name)),
  );
