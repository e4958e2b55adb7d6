/** Stored items of the latest release (tools/released/items.json), compared with today's code. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unreleasedOf } from './breaking-changes.ts';
import { currentPacked, findOtherPacked, type ReleasedPacked } from './packed-items.ts';
import { findCodecs } from './stored-codecs.ts';
import { currentItems, type Finding, findUnread, type ReleasedItems } from './stored-items.ts';
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
 * Findings that the changelog does not announce: a line under Unreleased that begins with `STORED: ` and the finding's
 * subject announces one.
 */
export const untoldOf = (findings: readonly Finding[], changelog: string): Finding[] => {
  const told = unreleasedOf(changelog)
    .split('\n')
    .flatMap((line) => /^(?:- )?STORED: (?<rest>.+)$/.exec(line)?.groups?.rest ?? []);
  return findings.filter(({ subject }) => !told.some((rest) => rest === subject || rest.startsWith(`${subject} `)));
};

/** Items that the release or today's code cannot read of each other. */
export const findStoredBreaks = async (): Promise<Finding[]> => {
  const { codecs, packed } = readReleasedItems();
  return [...findUnread(codecs, await findCodecs()), ...(await findOtherPacked(packed))];
};

export const storedLineOf = ({ subject, says }: Finding): string => `stored ${subject}: ${says}`;
