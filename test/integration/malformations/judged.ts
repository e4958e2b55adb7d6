/** Judges the cells of a part, with its sandbox, its login and its units. */
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { NOTHING_KNOWN } from '#shared/values/known-accounts.ts';
import { loadSource } from '#test/helpers/source-folders.ts';
import { createClock, createIo } from '#test/unit/sources/ask.ts';
import type { Part } from './scopes.ts';
import { type Judged, judgeUnit, type Stage, type Unit } from './table.ts';
import { forgetAnswers } from './wire.ts';

const SOURCES = join(import.meta.dirname, '../../../shared/sources');

/** Selects the same cells every time, spread over all kinds. */
export const isSampled = (name: string, every: number): boolean =>
  Number.parseInt(hash('sha256', name).slice(0, 8), 16) % every === 0;

const unitOf = (wanted: Unit | undefined, tenders: readonly string[]): Unit | undefined => {
  if (wanted?.tender === undefined) return wanted;
  const tender = tenders[wanted.tender === 'first' ? 0 : 1];
  return tender === undefined ? undefined : { ...wanted, tender };
};

export const judgePart = async (part: Part, isWanted: (name: string) => boolean): Promise<Judged[]> => {
  forgetAnswers();
  const [source, scopeName] = part.scope.split('.') as [string, string];
  const folder = await loadSource(join(SOURCES, source));
  const clock = { now: createClock() };
  const sandbox = folder.createSandbox({ now: () => clock.now.nowMs });
  const url = await sandbox.listen(0);
  try {
    const entry = folder.credentials.find(({ behaviour }) => behaviour === part.login);
    const scope = folder.scopes.find(({ name }) => name === scopeName);
    if (!entry || !scope) throw new Error(`no login or scope for ${part.name}`);
    const { credentials, metadata } = entry;
    const stage: Stage = {
      folder,
      scope,
      credentials,
      url,
      clock,
      known: NOTHING_KNOWN,
      hasFiles: part.hasFiles === true,
    };
    const session = await folder.source.connect({ credentials, metadata }, createIo(url, clock.now));
    const tenders = (metadata.codigos ?? []) as string[];
    const [unit, other] = [unitOf(part.unit, tenders)!, unitOf(part.other, tenders)];
    return await judgeUnit(stage, session, unit, other, isWanted, part.kinds);
  } finally {
    await sandbox.close();
  }
};
