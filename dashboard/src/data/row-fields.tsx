/** Shows every field of a row with its value. The institution's own data comes last and is unchanged. */
import { Code, Text, Title } from '@mantine/core';
import { common } from '../text/common-texts.ts';
import { detailColumns } from './columns/build-columns.ts';
import { cellText } from './columns/column.ts';
import type { ColumnSource } from './columns/field-column.ts';
import styles from './data.module.css';
import type { Row } from './resource.ts';
import { fieldWord } from './words.ts';

export const RowFields = ({ source, row }: { source: ColumnSource; row: Row }) => {
  const none = common.useTexts()('state.none');
  const raw = source.fields.filter(
    ({ name, kind }) => kind === 'object' && row[name] !== null && row[name] !== undefined,
  );
  return (
    <>
      <dl className={styles.details}>
        {detailColumns(source).flatMap((column) => [
          <dt key={`${column.name} name`}>{column.head}</dt>,
          <dd key={column.name}>
            {cellText(column, row) ?? (
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
