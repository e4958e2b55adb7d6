/** Names of folders, queues and sources as code and CloudFormation spell them. */

/** `sync-requests` → `SyncRequests` */
export const pascal = (kebab: string): string =>
  kebab.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** `sync-requests` → `syncRequests` */
export const camel = (kebab: string): string => kebab.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
