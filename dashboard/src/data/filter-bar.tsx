/** The filters of a scope, generated from its description. The filters' values are in the page's address. */
import { Button, NativeSelect, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { readJson } from '../api/client.ts';
import { type FieldFinding, findingAt } from '../problem/field-findings.ts';
import { FilterRow } from '../shell/filter-row.tsx';
import { month } from '../text/month.ts';
import styles from './data.module.css';
import type { Filter } from './filters.ts';
import { pathWith } from './find-resource.ts';
import type { Resource } from './resource.ts';
import type { ScopeList } from './scope-list.ts';
import { dataTexts } from './texts.ts';
import { choiceWord, documentTypes, fieldWord } from './words.ts';

interface ControlProps {
  filter: Filter;
  resource: Resource;
  value: string;
  error: string | undefined;
  periods: readonly string[];
  onChange: (value: string) => void;
}

/** Typed text becomes a filter in the address when the person presses Enter or leaves the field. */
const TextFilter = ({ filter, resource, value, error, onChange }: ControlProps) => {
  const [typed, setTyped] = useState(value);
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    setTyped(value);
  }
  const send = (event?: FormEvent): void => {
    event?.preventDefault();
    if (typed !== value) onChange(typed.trim());
  };
  return (
    <form onSubmit={send} className={filter.name === 'q' ? styles.search : styles.filter}>
      <TextInput
        label={fieldWord(filter.name, resource.source)}
        value={typed}
        error={error}
        maxLength={filter.maxLength}
        placeholder={filter.name === 'q' ? undefined : filter.example}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={() => send()}
      />
    </form>
  );
};

const Control = (props: ControlProps) => {
  const { filter, resource, value, error, periods, onChange } = props;
  const say = dataTexts.useTexts();
  const label = fieldWord(filter.name, resource.source);
  const isType = filter.name === 'document_type';
  if (filter.kind === 'text' && !isType) return <TextFilter {...props} />;
  if (filter.kind === 'switch')
    return (
      <Switch
        label={label}
        checked={value === 'true'}
        error={error}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? 'true' : '')}
      />
    );
  if (filter.kind === 'day')
    return (
      <TextInput
        className={styles.filter}
        type="date"
        label={label}
        value={value}
        error={error}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  const isPeriod = filter.kind === 'period';
  // The list of choices also includes the month in the page's address, because that month may have no rows.
  const known = isType && filter.values.length === 0 ? documentTypes() : filter.values;
  const values = [...new Set([...(value === '' ? [] : [value]), ...(isPeriod ? periods : known)])];
  if (isPeriod) values.sort().reverse();
  return (
    <NativeSelect
      className={styles.filter}
      label={label}
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[
        { value: '', label: say('filters.any') },
        ...values.map((each) => ({
          value: each,
          label: isPeriod && /^\d{4}-\d\d$/.test(each) ? month(each) : choiceWord(filter.name, each, resource.scope),
        })),
      ]}
    />
  );
};

interface FilterBarProps {
  list: ScopeList;
  query: URLSearchParams;
  findings: readonly FieldFinding[];
  onChange: (name: string, value: string) => void;
  onClear: () => void;
}

export const FilterBar = ({ list, query, findings, onChange, onClear }: FilterBarProps) => {
  const say = dataTexts.useTexts();
  const { filters, resource, connectionId } = list;
  const path = resource.periods;
  const periods = useQuery({
    queryKey: ['periods', path, connectionId],
    queryFn: ({ signal }) =>
      readJson<{ data: string[] }>(pathWith(path ?? '', connectionId), new URLSearchParams(), signal),
    enabled: path !== null,
  });
  if (filters.length === 0) return null;
  return (
    <FilterRow label={say('filters.label')}>
      {filters.map((filter) => (
        <Control
          key={filter.name}
          filter={filter}
          resource={resource}
          value={query.get(filter.name) ?? ''}
          error={findingAt(findings, filter.name)}
          periods={periods.data?.data ?? []}
          onChange={(value) => onChange(filter.name, value)}
        />
      ))}
      {query.size > 0 && (
        <Button variant="subtle" onClick={onClear}>
          {say('filters.clear')}
        </Button>
      )}
    </FilterRow>
  );
};
