/** Secrets that look like ordinary data (`4711`, `Santiago`): they are removed only next to the name of their field. */
import { WEAK_SECRETS_MAX } from './limits.ts';
import { textForms } from './secret-forms.ts';

export type TextRange = [from: number, to: number];

export interface WeakSecrets {
  add(secret: string, names: readonly string[]): void;
  /** Learns further field names from a request; returns each new pair of name and value. */
  sees(sent: string): string[];
  places(body: Buffer): TextRange[];
}

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Characters allowed between a name and its value in a form, in JSON or in a page, each of them plain or escaped. */
const BETWEEN = String.raw`(?:[^\w&%\\<]|&#?\w{1,6};|%[0-9A-Fa-f]{2}|\\u00[0-9a-f]{2}|\\|</?\w{1,8}[^<>]{0,40}>){1,24}?`;
const NAME = String.raw`([\w.-]{1,64})(?:=|"\s?:\s?")`;

/** A tag of a page, plain or escaped. The tags of real forms are shorter than this limit. */
const TAG = /(?:<|&lt;)[a-z](?:(?!&[lg]t;)[^<>]){0,1000}/gi;
const ATTRIBUTE_START = String.raw`=\s{0,9}(?:\\?["']|&quot;|&#0?39;)?`;
const ATTRIBUTE_END = String.raw`(?=[\\"'\s/]|&quot;|&#0?39;|$)`;

interface Weak {
  /** Pattern that matches every form of the secret. */
  value: string;
  names: Set<string>;
  isAnywhere: RegExp;
  /** Matches the secret's value after one of its names; undefined while no name is known. */
  behindName: RegExp | undefined;
  /** Matches a tag that contains a name of the field; `inTag` matches the value in the tag. */
  named: RegExp | undefined;
  inTag: RegExp;
}

const name = (weak: Weak, given: string): void => {
  const lower = given.toLowerCase();
  if (weak.names.has(lower)) return;
  weak.names.add(lower);
  const names = [...weak.names].map(literal).join('|');
  weak.behindName = new RegExp(`((?:${names})${BETWEEN})(?:${weak.value})(?!\\w)`, 'gi');
  weak.named = new RegExp(`${ATTRIBUTE_START}(?:${names})${ATTRIBUTE_END}`, 'i');
};

const placesOf = (text: string, pattern: RegExp, offset = 0): TextRange[] =>
  [...text.matchAll(pattern)].map((match): TextRange => {
    const from = offset + match.index;
    return [from + match[1]!.length, from + match[0].length];
  });

export const createWeakSecrets = (): WeakSecrets => {
  const bySecret = new Map<string, Weak>();
  const told = new Set<string>();

  const placesInTags = (text: string, weak: Weak[]): TextRange[] =>
    [...text.matchAll(TAG)].flatMap(({ 0: tag, index }) =>
      weak.flatMap(({ named, inTag }) => (named?.test(tag) ? placesOf(tag, inTag, index) : [])),
    );

  return {
    add: (secret, names) => {
      const forms = textForms(secret).map((form) => literal(form.toString('latin1')));
      const value = forms.join('|');
      const weak: Weak = bySecret.get(secret) ?? {
        value,
        names: new Set(),
        isAnywhere: new RegExp(value, 'i'),
        behindName: undefined,
        named: undefined,
        inTag: new RegExp(`(${ATTRIBUTE_START})(?:${value})${ATTRIBUTE_END}`, 'gi'),
      };
      bySecret.set(secret, weak);
      if (bySecret.size > WEAK_SECRETS_MAX) bySecret.delete([...bySecret.keys()][0]!);
      for (const one of names) name(weak, one);
    },
    sees: (sent) => {
      const text = Buffer.from(sent).toString('latin1');
      return [...bySecret.values()].flatMap((weak) =>
        [...text.matchAll(new RegExp(`${NAME}(?:${weak.value})(?=$|[&"])`, 'g'))].flatMap(([pair, given]) => {
          name(weak, given!);
          if (told.has(pair)) return [];
          told.add(pair);
          return [Buffer.from(pair, 'latin1').toString()];
        }),
      );
    },
    places: (body) => {
      if (bySecret.size === 0) return [];
      const text = body.toString('latin1');
      const here = [...bySecret.values()].filter(({ names, isAnywhere }) => names.size > 0 && isAnywhere.test(text));
      if (here.length === 0) return [];
      return [...here.flatMap(({ behindName }) => placesOf(text, behindName!)), ...placesInTags(text, here)];
    },
  };
};
