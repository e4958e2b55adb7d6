/**
 * Errors for refused changes of state. The HTTP layer turns them into error answers; a worker that gets one ends
 * without an error.
 */
import { AppError } from '#shared/values/app-error.ts';

export type ConflictCode = 'connection_sync_in_progress' | 'connection_disabled';

/** A change that the present state does not allow, with its API error code. */
export class ConflictError extends AppError {
  readonly code: ConflictCode;
  constructor(code: ConflictCode) {
    super(code);
    this.code = code;
  }
}
