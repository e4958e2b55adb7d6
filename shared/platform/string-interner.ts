/** One text in place of its many copies, where a few values repeat over 100,000 rows: a facet, the run that made them. */
export const stringInterner = (): ((text: string) => string) => {
  const known = new Map<string, string>();
  return (text) => {
    const same = known.get(text);
    if (same !== undefined) return same;
    known.set(text, text);
    return text;
  };
};
