/**
 * Errors of the table. Stores turn these errors into named domain errors. No code outside the table module sees an SDK
 * error.
 */
import { AppError } from '#shared/values/app-error.ts';

/** A condition failed, and the caller named no error for it. */
export class ConditionRefused extends AppError {
  constructor(where: string) {
    super(`condition refused: ${where}`);
  }
}
