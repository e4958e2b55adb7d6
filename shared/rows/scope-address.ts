export type { ScopeAddress } from '#shared/table/keys.ts';
