/** How a fault is told to people: first what they know, last the step of ours that met it. Pure. */

/** `stage: reason`, as adapters say it: a stage has no colon, and does not begin like a sentence. */
const STAGED = /^(?!\p{Lu})([^:]{1,120}): (.+)$/su;

/** Stages that say nothing beside the reason. */
const PLAIN_STAGES: ReadonlySet<string> = new Set(['login', 'token']);

/**
 * @param label of the scope, e.g. "Registro de compras y ventas"
 * @param unit month or tender that met the fault; null for the scope as a whole
 * @returns e.g. "Registro de compras y ventas, 2026-10: no answer in time (getDetalle)"
 */
export const tellFault = (label: string, unit: string | null, message: string): string => {
  const place = unit === null ? label : `${label}, ${unit}`;
  const [, stage, reason] = STAGED.exec(message) ?? [];
  if (stage === undefined || reason === undefined) return `${place}: ${message}`;
  const isTold = PLAIN_STAGES.has(stage) || (unit !== null && stage.endsWith(unit));
  return isTold ? `${place}: ${reason}` : `${place}: ${reason} (${stage})`;
};
