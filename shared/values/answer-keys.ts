/** Keys that one kind of answer must contain; its parser checks them (decisions.md §5 "Completeness"). */
export interface AnswerKeys {
  /** Path from the answer's root to the list of its rows; `csv` for the columns of a file. */
  rows: readonly string[] | 'csv';
  /** If one of these keys is missing from a row, the answer is rejected. */
  required: readonly string[];
  /** If such a key is missing, stored values stay, and one notice `<source>.<scope>.columns_missing` names the key. */
  reported: readonly string[];
  /** Keys of `required` or `reported` that the wire may contain as null or as an empty cell. */
  nullable: readonly string[];
}
