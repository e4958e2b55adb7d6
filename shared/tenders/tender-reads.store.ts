/** When each connection last read which scope of a tender: what decides whose copy of a row is served. */
import { ConditionRefused } from '#shared/table/errors.ts';
import { keys, type TenderAddress, type TenderScope } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import type { OrganizationId } from '#shared/values/ids.ts';

/** Attribute of the reading, in UTC with milliseconds. */
export const readAt = (scope: TenderScope): string => `${scope}_at`;

/** When each connection last read this scope of the tender; undefined when no scope of any connection holds it. */
export const findReads = async (
  organizationId: OrganizationId,
  codigo: string,
  scope: TenderScope,
): Promise<Map<string, string> | undefined> => {
  const { pk, prefix } = keys.tenderReads(organizationId, codigo);
  const items = await table.query(pk, { prefix });
  if (items.length === 0) return undefined;
  const read = items.filter((item) => item[readAt(scope)] !== undefined);
  return new Map(read.map((item) => [item.sk.slice(prefix.length), String(item[readAt(scope)])]));
};

/** The note of a reading, unless a newer one stands: late ones change nothing. */
export const newerReading = (scope: TenderScope, observedAt: string) => {
  const attribute = readAt(scope);
  return {
    set: { [attribute]: observedAt },
    if: `attribute_not_exists(#${attribute}) OR #${attribute} < :at`,
    values: { at: observedAt },
  };
};

/** Scopes of one tender are read at the same time. */
export const noteReading = async (address: TenderAddress, scope: TenderScope, observedAt: string): Promise<void> => {
  try {
    await table.update(keys.tenderRead(address), newerReading(scope, observedAt));
  } catch (error) {
    if (!(error instanceof ConditionRefused)) throw error;
  }
};
