/** The stage of this machine. `LOCAL_TABLE_GENERATION` says which generation of the table serves, as a restore leaves it. */
import { parseStage, type Stage, stageNamed } from '#infra/stages.ts';

/** @throws Error for a generation that no table can have */
export const localStage = (generation = process.env.LOCAL_TABLE_GENERATION): Stage =>
  parseStage({ ...stageNamed('local'), ...(generation ? { tableGeneration: Number(generation) } : {}) });
