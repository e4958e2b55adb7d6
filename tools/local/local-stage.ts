/**
 * The stage of this machine. `LOCAL_TABLE_GENERATION` selects the generation of the table, for example after a restore.
 */
import { parseStage, type Stage, stageNamed } from '#infra/stages.ts';

/** @throws Error for an invalid generation */
export const localStage = (generation = process.env.LOCAL_TABLE_GENERATION): Stage =>
  parseStage({ ...stageNamed('local'), ...(generation ? { tableGeneration: Number(generation) } : {}) });
