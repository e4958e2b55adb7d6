/**
 * One id type for each kind of thing. A plain string is accepted as any id type; an id of one type is not accepted as
 * another.
 */
import * as z from 'zod';

declare const kind: unique symbol;
type Id<Kind extends string> = string & { readonly [kind]?: Kind };

export type OrganizationId = Id<'organization'>;
export type ConnectionId = Id<'connection'>;

/** Schemas for stored items and messages. The ids are strings at run time; only the compiler distinguishes them. */
export const organizationId = (): z.ZodType<OrganizationId, OrganizationId> => z.string();
export const connectionId = (): z.ZodType<ConnectionId, ConnectionId> => z.string();
