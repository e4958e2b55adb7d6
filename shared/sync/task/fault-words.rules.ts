/**
 * Builds the text of a fault for people: first the scope and the reason, last our internal step in parentheses. Pure.
 */

/** Matches `stage: reason`, the form that adapters use. A stage has no colon and no capital initial. */
const STAGED = /^(?!\p{Lu})([^:]{1,120}): (.+)$/su;

/** Stages that add nothing to the reason. */
const PLAIN_STAGES: ReadonlySet<string> = new Set(['login', 'token']);

/**
 * @param label label of the scope, e.g. "Registro de compras y ventas"
 * @param unit month or tender with the fault; null for the scope as a whole
 * @returns e.g. "Registro de compras y ventas, 2026-10: no answer in time (getDetalle)"
 */
export const tellFault = (label: string, unit: string | null, message: string): string => {
  const place = unit === null ? label : `${label}, ${unit}`;
  const [, stage, reason] = STAGED.exec(message) ?? [];
  if (stage === undefined || reason === undefined) return `${place}: ${message}`;
  const isTold = PLAIN_STAGES.has(stage) || (unit !== null && stage.endsWith(unit));
  return isTold ? `${place}: ${reason}` : `${place}: ${reason} (${stage})`;
};
