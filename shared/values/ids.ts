/** Ids by the thing that they name. A plain string passes for any of them; an id of another kind does not. */
import * as z from 'zod';

declare const kind: unique symbol;
type Id<Kind extends string> = string & { readonly [kind]?: Kind };

export type OrganizationId = Id<'organization'>;
export type ConnectionId = Id<'connection'>;

/** Of stored items and messages: text at run time, told apart by the compiler. */
export const organizationId = (): z.ZodType<OrganizationId, OrganizationId> => z.string();
export const connectionId = (): z.ZodType<ConnectionId, ConnectionId> => z.string();
