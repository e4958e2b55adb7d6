/** Target of an export. */
export interface Sink {
  write(piece: string | Uint8Array): Promise<void>;
  /** Completes the file after its last piece. */
  close(): Promise<void>;
  /** Removes everything that was written to the file. */
  abort(): Promise<void>;
}
