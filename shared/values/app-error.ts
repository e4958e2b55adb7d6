/** Base class of our own errors. Logs show the name of the class. */
export class AppError extends Error {
  constructor(message?: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A conflict of optimistic locking: another writer was faster. The caller reads again and decides again. */
export class VersionConflict extends AppError {}
