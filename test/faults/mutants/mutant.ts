/** One text replacement in a source file. */
export interface Change {
  /** Path from the root of the repository. */
  file: string;
  /** Text that occurs in the file exactly once. */
  old: string;
  new: string;
}

export interface Mutant {
  name: string;
  changes: readonly Change[];
  /** Kind of histories that notice the mutant; those of the engine if absent. */
  of?: 'grants' | 'lists';
}

export const one = (name: string, file: string, old: string, replacement: string): Mutant => ({
  name,
  changes: [{ file, old, new: replacement }],
});
