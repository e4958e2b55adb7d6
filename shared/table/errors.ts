/** What the table can refuse. Repositories turn these into named domain errors; nothing else sees an SDK error. */
import { AppError } from '#shared/values/app-error.ts';

/** A condition did not hold and the caller named no error for it. */
export class ConditionRefused extends AppError {
  constructor(where: string) {
    super(`condition refused: ${where}`);
  }
}

/** A transaction and other writes kept colliding for all attempts. The truth is unchanged; the caller may try again. */
export class TableContention extends AppError {
  constructor(where: string) {
    super(`too many collisions: ${where}`);
  }
}
