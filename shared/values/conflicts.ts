/** Refused state changes by name. The HTTP layer turns them into answers; workers into quiet ends. */
import { AppError } from '#shared/values/app-error.ts';

export type ConflictCode = 'connection_sync_in_progress' | 'connection_disabled';

/** A change that the present state does not allow, with the code under which the API tells it. */
export class ConflictError extends AppError {
  readonly code: ConflictCode;
  constructor(code: ConflictCode) {
    super(code);
    this.code = code;
  }
}
