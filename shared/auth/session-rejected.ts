import { AppError } from '#shared/values/app-error.ts';

/** The session is invalid (`unauthorized`), or belongs to no organization (`forbidden`). */
export class SessionRejected extends AppError {
  readonly code: 'unauthorized' | 'forbidden';
  constructor(code: SessionRejected['code'], message: string) {
    super(message);
    this.code = code;
  }
}
