/** Many byte strings looked for at once: one pass over the text, however many there are. */

export interface ByteSearch {
  add(forms: readonly Uint8Array[]): void;
  /** Places of all that are found, in order, none inside another. */
  places(text: Uint8Array): [from: number, to: number][];
}

/** At one place the longest wins. */
const byLength = (a: Uint8Array, b: Uint8Array): number => b.length - a.length;

export const createByteSearch = (): ByteSearch => {
  const byStart = new Map<number, Uint8Array[]>();
  const isStart = new Uint8Array(1 << 16);
  const lengthAt = (text: Uint8Array, at: number, start: number): number => {
    for (const form of byStart.get(start)!) {
      let same = 2;
      while (same < form.length && text[at + same] === form[same]) same++;
      if (same === form.length) return same;
    }
    return 0;
  };
  return {
    add: (forms) => {
      const grown = new Set<Uint8Array[]>();
      for (const form of forms) {
        if (form.length < 2) continue;
        const start = (form[0]! << 8) | form[1]!;
        isStart[start] = 1;
        const known = byStart.get(start) ?? [];
        known.push(form);
        byStart.set(start, known);
        grown.add(known);
      }
      for (const known of grown) known.sort(byLength);
    },
    places: (text) => {
      const found: [number, number][] = [];
      if (byStart.size === 0) return found;
      for (let at = 0; at + 1 < text.length; at++) {
        const start = (text[at]! << 8) | text[at + 1]!;
        if (isStart[start] === 0) continue;
        const length = lengthAt(text, at, start);
        if (length === 0) continue;
        found.push([at, at + length]);
        at += length - 1;
      }
      return found;
    },
  };
};
