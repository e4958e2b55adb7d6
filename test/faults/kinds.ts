/** What histories can be of. Each kind is loaded when it is used, because loading binds the process to it. */
export const RUNNERS = {
  engine: async () => (await import('./run-histories.ts')).runHistories,
  grants: async () => (await import('./grants/run-grants.ts')).runGrantHistories,
  lists: async () => (await import('./lists/run-lists.ts')).runListHistories,
};

export type Kind = keyof typeof RUNNERS;
