/**
 * Checks whether the current code and the latest release can read each other's stored items
 * (tools/released/items.json).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readUnreleased } from './breaking-changes.ts';
import { currentPacked, findOtherPacked, type ReleasedPacked } from './packed-items.ts';
import { findCodecs } from './stored-codecs.ts';
import { currentItems, findUnread, type ReleasedItems, type StoredFinding } from './stored-items.ts';
import { fromText, toText } from './stored-values.ts';

export const RELEASED_ITEMS = join(import.meta.dirname, '../released/items.json');

interface Released {
  codecs: ReleasedItems;
  packed: Record<string, ReleasedPacked>;
}

export const readReleasedItems = (): Released => fromText(readFileSync(RELEASED_ITEMS, 'utf8')) as Released;

export const writeReleasedItems = async (): Promise<void> => {
  const released: Released = { codecs: currentItems(await findCodecs()), packed: await currentPacked() };
  writeFileSync(RELEASED_ITEMS, `${toText(released, 3)}\n`);
};

/**
 * Returns the findings that the changelog does not announce. A line under Unreleased announces a finding if it begins
 * with `STORED: ` and the finding's subject.
 */
export const findUnannounced = (findings: readonly StoredFinding[], changelog: string): StoredFinding[] => {
  const told = readUnreleased(changelog)
    .split('\n')
    .flatMap((line) => /^(?:- )?STORED: (?<rest>.+)$/.exec(line)?.groups?.rest ?? []);
  return findings.filter(({ subject }) => !told.some((rest) => rest === subject || rest.startsWith(`${subject} `)));
};

/**
 * Finds items that one of the two versions (the current code, the latest release) writes and the other version cannot
 * read.
 */
export const findStoredBreaks = async (): Promise<StoredFinding[]> => {
  const { codecs, packed } = readReleasedItems();
  return [...findUnread(codecs, await findCodecs()), ...(await findOtherPacked(packed))];
};

export const formatFinding = ({ subject, says }: StoredFinding): string => `stored ${subject}: ${says}`;
