/** How a mutant is told. */
export interface Change {
  /** From the root of the repository. */
  file: string;
  /** Stands in the file exactly once. */
  old: string;
  new: string;
}

export interface Mutant {
  name: string;
  changes: readonly Change[];
  /** Whose histories notice it; the engine's where nothing is said. */
  of?: 'grants';
}

export const one = (name: string, file: string, old: string, replacement: string): Mutant => ({
  name,
  changes: [{ file, old, new: replacement }],
});
