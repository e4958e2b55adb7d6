/**
 * Reads the select fields of a page with their options. Reads tokens instead of a tree: an option ends where the next
 * select or option tag begins, so deep nesting of a page does not matter.
 */
import { Tokenizer } from 'htmlparser2';

export interface Option {
  value: string;
  label: string;
}

const ignore = (): void => {};

/** Returns the options of each select field by its name; two select fields with one name are merged. */
export const readSelects = (html: string): Map<string, Option[]> => {
  const selects = new Map<string, Option[]>();
  let select: Option[] | undefined;
  let option: { value: string | undefined; text: string } | undefined;
  /** The select or option tag that is being read. */
  let tag = '';
  /** Attribute of the tag that contains the select's name or the option's value. */
  let attribute: string | undefined;
  let isWanted = false;
  const endOption = (): void => {
    if (!option) return;
    // Without a value attribute the text is the value, as in a browser. An option with an empty value is only the
    // prompt.
    const value = (option.value ?? option.text).trim();
    if (value !== '') select?.push({ value, label: option.text.trim() });
    option = undefined;
  };
  const nameOf = (start: number, end: number): string => {
    const name = end - start === 6 ? html.slice(start, end).toLowerCase() : '';
    return name === 'select' || name === 'option' ? name : '';
  };
  const open = (): void => {
    if (tag === 'select') {
      select = selects.get(attribute ?? '') ?? [];
      selects.set(attribute ?? '', select);
    } else if (tag === 'option') option = { value: attribute, text: '' };
    tag = '';
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname: (start, end) => {
        tag = nameOf(start, end);
        attribute = undefined;
        isWanted = false;
        if (tag !== '') endOption();
      },
      onattribname: (start, end) => {
        const wanted = tag === 'select' ? 'name' : 'value';
        // If an attribute occurs twice, its first value counts.
        isWanted = tag !== '' && attribute === undefined && html.slice(start, end).toLowerCase() === wanted;
        if (isWanted) attribute = '';
      },
      onattribdata: (start, end) => {
        if (isWanted) attribute += html.slice(start, end);
      },
      onattribentity: (codepoint) => {
        if (isWanted) attribute += String.fromCodePoint(codepoint);
      },
      onattribend: () => {
        isWanted = false;
      },
      onopentagend: open,
      onselfclosingtag: open,
      onclosetag: (start, end) => {
        const name = nameOf(start, end);
        if (name !== '') endOption();
        if (name === 'select') select = undefined;
      },
      ontext: (start, end) => {
        if (option) option.text += html.slice(start, end);
      },
      ontextentity: (codepoint) => {
        if (option) option.text += String.fromCodePoint(codepoint);
      },
      onend: endOption,
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return selects;
};
