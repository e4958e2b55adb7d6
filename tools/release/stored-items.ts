/**
 * Whether two versions read each other's items: what the release wrote is read by the code of today, and what is written today
 * is read by the code of the release, which takes over again when a deploy goes back.
 */
import { isDeepStrictEqual } from 'node:util';
import { type ItemCodec, StoredItemInvalid } from '#shared/table/item.ts';
import { describeForm, findRefused, type StoredForm, writeItem } from './stored-form.ts';
import { makeSamples } from './stored-samples.ts';

type StoredItem = Record<string, unknown>;

/** What a release keeps of one stored entity. */
export interface ReleasedEntity extends StoredForm {
  /** As its code wrote them: one with every attribute, one with those alone that are always there. */
  items: StoredItem[];
}
export type ReleasedItems = Record<string, ReleasedEntity>;

/** Something that one of the two would not read. */
export interface StoredFinding {
  /** `<entity>` or `<entity>.<attribute>`. */
  subject: string;
  says: string;
}

const entitiesOf = ({ schema }: StoredForm): StoredItem[] => makeSamples(schema) as StoredItem[];

const itemsOf = (codec: ItemCodec<unknown>, form: StoredForm): StoredItem[] => {
  const items = entitiesOf(form).map((entity) => codec.toItem(entity));
  for (const item of items) codec.fromItem(item);
  return items;
};

/** @throws StoredItemInvalid where a sample of ours is not one that its own codec reads: stored-samples.ts must learn it */
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

/** Attributes of the item that are not read, or are read as something else. */
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

/** What the release wrote and the code of today does not read. */
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

/** What is written today and the code of the release does not read. */
const unreadable = (entity: string, released: ReleasedEntity, codec: ItemCodec<unknown>): StoredFinding[] => {
  const refused = itemsOf(codec, describeForm(codec)).flatMap((item) => findRefused(released, item));
  return [...new Set(refused)].map((attribute) =>
    finding(entity, attribute, 'the code of the release does not read an item of today'),
  );
};

/** None where each reads what the other writes. An entity that the release does not have is none of its matters. */
export const findUnread = (released: ReleasedItems, codecs: readonly ItemCodec<unknown>[]): StoredFinding[] =>
  Object.entries(released).flatMap(([entity, form]) => {
    const codec = codecs.find((each) => each.entity === entity);
    if (codec === undefined) return [{ subject: entity, says: 'the release wrote it, and no codec reads it any more' }];
    return [...unread(entity, form, codec), ...unreadable(entity, form, codec)];
  });
