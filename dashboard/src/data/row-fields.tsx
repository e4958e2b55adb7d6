/** Shows every field of a row with its value. The institution's own data comes last and is unchanged. */
import { Code, Text, Title } from '@mantine/core';
import { common } from '../text/common-texts.ts';
import styles from './data.module.css';
import type { Field, Row } from './resource.ts';
import { shownValue } from './shown-value.ts';
import { fieldWord } from './words.ts';

/** Ids come last, because they are for API users and not for a person who reads a document. */
const plainOf = (fields: readonly Field[]): Field[] => {
  const plain = fields.filter(({ kind }) => kind !== 'object' && kind !== 'list');
  return [...plain.filter(({ kind }) => kind !== 'id'), ...plain.filter(({ kind }) => kind === 'id')];
};

export const RowFields = ({ fields, row }: { fields: readonly Field[]; row: Row }) => {
  const none = common.useTexts()('state.none');
  const raw = fields.filter(({ name, kind }) => kind === 'object' && row[name] !== null && row[name] !== undefined);
  return (
    <>
      <dl className={styles.details}>
        {plainOf(fields).flatMap((field) => [
          <dt key={`${field.name} name`}>{fieldWord(field.name)}</dt>,
          <dd key={field.name}>
            {shownValue(field, row[field.name]) ?? (
              <Text span c="dimmed">
                {none}
              </Text>
            )}
          </dd>,
        ])}
      </dl>
      {raw.map(({ name }) => (
        <section key={name} aria-label={fieldWord(name)}>
          <Title order={3} size="h5" mb="xs">
            {fieldWord(name)}
          </Title>
          <Code block className={styles.raw} tabIndex={0}>
            {JSON.stringify(row[name], null, 2)}
          </Code>
        </section>
      ))}
    </>
  );
};
