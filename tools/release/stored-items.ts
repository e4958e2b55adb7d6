/**
 * Checks that two versions read each other's items. The current code must read the release's items. The release's code
 * must also read the current items, because a rollback runs the release's code again.
 */
import { isDeepStrictEqual } from 'node:util';
import { type ItemCodec, StoredItemInvalid } from '#shared/table/item.ts';
import { describeForm, findRefused, type StoredForm, writeItem } from './stored-form.ts';
import { makeSamples } from './stored-samples.ts';

type StoredItem = Record<string, unknown>;

/** What a release stores of one entity: its form, and some items. */
export interface ReleasedEntity extends StoredForm {
  /**
   * Items as the release's code wrote them. For example, one item has every attribute, and one item has only the
   * required attributes.
   */
  items: StoredItem[];
}
export type ReleasedItems = Record<string, ReleasedEntity>;

/** An item or attribute that one of the two versions cannot read. */
export interface StoredFinding {
  /** Name of the entity or attribute: `<entity>` or `<entity>.<attribute>`. */
  subject: string;
  says: string;
}

const entitiesOf = ({ schema }: StoredForm): StoredItem[] => makeSamples(schema) as StoredItem[];

const itemsOf = (codec: ItemCodec<unknown>, form: StoredForm): StoredItem[] => {
  const items = entitiesOf(form).map((entity) => codec.toItem(entity));
  for (const item of items) codec.fromItem(item);
  return items;
};

/**
 * Returns sample items of the current code.
 * @throws StoredItemInvalid if a codec does not read one of its own samples; stored-samples.ts must then be extended
 */
export const currentItems = (codecs: readonly ItemCodec<unknown>[]): ReleasedItems =>
  Object.fromEntries(
    codecs.map((codec) => {
      const form = describeForm(codec);
      const items = itemsOf(codec, form);
      const fewest = items.reduce((a, b) => (Object.keys(b).length < Object.keys(a).length ? b : a));
      return [codec.entity, { ...form, items: [...new Set([items[0]!, fewest])] }];
    }),
  );

const attributesIn = (codec: ItemCodec<unknown>, error: StoredItemInvalid): string[] => {
  const { attributes } = describeForm(codec);
  const fields = error.message.replace(`stored ${codec.entity}: `, '').split(', ');
  return fields.map((field) => attributes[field] ?? field);
};

/** Returns the attributes of the item that the codec does not read, or reads as a different value. */
const misreadBy = (codec: ItemCodec<unknown>, item: StoredItem): string[] => {
  try {
    const again = codec.toItem(codec.fromItem(item));
    return Object.keys(item).filter((attribute) => !isDeepStrictEqual(again[attribute], item[attribute]));
  } catch (error) {
    if (error instanceof StoredItemInvalid) return attributesIn(codec, error);
    throw error;
  }
};

const finding = (entity: string, attribute: string, says: string): StoredFinding => ({
  subject: `${entity}.${attribute}`,
  says,
});

/** Returns findings about the release's items that the current code does not read. */
const unread = (entity: string, released: ReleasedEntity, codec: ItemCodec<unknown>): StoredFinding[] => {
  const gone = Object.values(released.attributes).filter((attribute) => !codec.attributes.includes(attribute));
  const items = [...released.items, ...entitiesOf(released).map((each) => writeItem(released, each))];
  const misread = new Set(items.flatMap((item) => misreadBy(codec, item)));
  return [
    ...gone.map((attribute) => finding(entity, attribute, 'the release wrote it, and nothing reads it any more')),
    ...[...misread]
      .filter((attribute) => !gone.includes(attribute))
      .map((attribute) => finding(entity, attribute, 'an item of the release is not read')),
  ];
};

/** Returns findings about the current code's items that the release's code does not read. */
const unreadable = (entity: string, released: ReleasedEntity, codec: ItemCodec<unknown>): StoredFinding[] => {
  const refused = itemsOf(codec, describeForm(codec)).flatMap((item) => findRefused(released, item));
  return [...new Set(refused)].map((attribute) =>
    finding(entity, attribute, 'the code of the release does not read an item of today'),
  );
};

/**
 * Returns the findings; empty when each version reads the items of the other version. Entities that the release does
 * not have are not compared.
 */
export const findUnread = (released: ReleasedItems, codecs: readonly ItemCodec<unknown>[]): StoredFinding[] =>
  Object.entries(released).flatMap(([entity, form]) => {
    const codec = codecs.find((each) => each.entity === entity);
    if (codec === undefined) return [{ subject: entity, says: 'the release wrote it, and no codec reads it any more' }];
    return [...unread(entity, form, codec), ...unreadable(entity, form, codec)];
  });
