/** Time to live. DynamoDB may remove an expired item days late, so readers skip expired items by the same attribute. */
import { nowSeconds } from '#shared/platform/clock.ts';
import type { Values } from './expressions.ts';

export const expiresIn = (seconds: number): { expires_at_epoch: number } => ({
  expires_at_epoch: nowSeconds() + seconds,
});

/** Returns the attribute of an item that expires at this instant or up to a second later. */
export const expiresAt = (iso: string): { expires_at_epoch: number } => ({
  expires_at_epoch: Math.ceil(Date.parse(iso) / 1_000),
});

/** True if the item has expired. An item without the attribute never expires. */
export const isExpired = ({ expires_at_epoch: atSeconds }: Readonly<Values>): boolean =>
  typeof atSeconds === 'number' && atSeconds <= nowSeconds();
