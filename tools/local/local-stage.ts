/**
 * The stage of this machine. `LOCAL_TABLE_GENERATION` selects the generation of the table, for example to use a
 * restored table.
 */
import { parseStage, type Stage, stageNamed } from '#infra/stages.ts';

/** Returns the local stage. @throws Error for an invalid generation */
export const localStage = (generation = process.env.LOCAL_TABLE_GENERATION): Stage =>
  parseStage({ ...stageNamed('local'), ...(generation ? { tableGeneration: Number(generation) } : {}) });
