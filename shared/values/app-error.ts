/** An error of ours: logs tell it by the name of its class. */
export class AppError extends Error {
  constructor(message?: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** Optimistic locking: another writer was quicker. Read again and decide anew. */
export class VersionConflict extends AppError {}
