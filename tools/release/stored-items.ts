/**
 * Checks that two versions read each other's items: today's code reads the release's items, and the release's code
 * reads today's items, because a rollback runs it again.
 */
import { isDeepStrictEqual } from 'node:util';
import { type ItemCodec, StoredItemInvalid } from '#shared/table/item.ts';
import { formOf, refusedOf, type StoredForm, writeItem } from './stored-form.ts';
import { samplesOf } from './stored-samples.ts';

type Item = Record<string, unknown>;

/** What a release stores of one entity. */
export interface ReleasedEntity extends StoredForm {
  /** Items as the release's code wrote them: one with every attribute, one with only the required ones. */
  items: Item[];
}
export type ReleasedItems = Record<string, ReleasedEntity>;

/** An item or attribute that one of the two versions cannot read. */
export interface Finding {
  /** `<entity>` or `<entity>.<attribute>`. */
  subject: string;
  says: string;
}

const entitiesOf = ({ schema }: StoredForm): Item[] => samplesOf(schema) as Item[];

const itemsOf = (codec: ItemCodec<unknown>, form: StoredForm): Item[] => {
  const items = entitiesOf(form).map((entity) => codec.toItem(entity));
  for (const item of items) codec.fromItem(item);
  return items;
};

/**
 * @throws StoredItemInvalid for one of our samples that its own codec does not read; then stored-samples.ts must be
 * extended
 */
export const currentItems = (codecs: readonly ItemCodec<unknown>[]): ReleasedItems =>
  Object.fromEntries(
    codecs.map((codec) => {
      const form = formOf(codec);
      const items = itemsOf(codec, form);
      const fewest = items.reduce((a, b) => (Object.keys(b).length < Object.keys(a).length ? b : a));
      return [codec.entity, { ...form, items: [...new Set([items[0]!, fewest])] }];
    }),
  );

const attributesIn = (codec: ItemCodec<unknown>, error: StoredItemInvalid): string[] => {
  const { attributes } = formOf(codec);
  const fields = error.message.replace(`stored ${codec.entity}: `, '').split(', ');
  return fields.map((field) => attributes[field] ?? field);
};

/** Attributes of the item that are not read, or are read as another value. */
const misreadBy = (codec: ItemCodec<unknown>, item: Item): string[] => {
  try {
    const again = codec.toItem(codec.fromItem(item));
    return Object.keys(item).filter((attribute) => !isDeepStrictEqual(again[attribute], item[attribute]));
  } catch (error) {
    if (error instanceof StoredItemInvalid) return attributesIn(codec, error);
    throw error;
  }
};

const finding = (entity: string, attribute: string, says: string): Finding => ({
  subject: `${entity}.${attribute}`,
  says,
});

/** Items of the release that today's code does not read. */
const unread = (entity: string, released: ReleasedEntity, codec: ItemCodec<unknown>): Finding[] => {
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

/** Items of today that the release's code does not read. */
const unreadable = (entity: string, released: ReleasedEntity, codec: ItemCodec<unknown>): Finding[] => {
  const refused = itemsOf(codec, formOf(codec)).flatMap((item) => refusedOf(released, item));
  return [...new Set(refused)].map((attribute) =>
    finding(entity, attribute, 'the code of the release does not read an item of today'),
  );
};

/** Empty when each version reads the items of the other. Ignores an entity that the release does not have. */
export const findUnread = (released: ReleasedItems, codecs: readonly ItemCodec<unknown>[]): Finding[] =>
  Object.entries(released).flatMap(([entity, form]) => {
    const codec = codecs.find((each) => each.entity === entity);
    if (codec === undefined) return [{ subject: entity, says: 'the release wrote it, and no codec reads it any more' }];
    return [...unread(entity, form, codec), ...unreadable(entity, form, codec)];
  });
