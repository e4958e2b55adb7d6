/** Search, filters and the parts of the list; all of them are in the page's address. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { SOURCE_NAMES } from '../connections/codes.gen.ts';
import { connectionTexts } from '../connections/texts.ts';
import { FilterRow } from '../shell/filter-row.tsx';
import { count } from '../text/format.ts';
import styles from './companies.module.css';
import { companyTexts } from './texts.ts';
import { type ListFilter, PARTS, type Part, SEARCH_CHARS_MAX, STATUSES, withChoice } from './view.ts';

const TYPING_MS = 300;

/** Typed text becomes the search after a pause, or with Enter. */
const Search = ({ value, onChange }: { value: string; onChange: (q: string) => void }) => {
  const say = companyTexts.useTexts();
  const [typed, setTyped] = useState(value);
  const [sent, setSent] = useState(value);
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    // The address changed in another way, such as by the button that clears the filters.
    if (value !== sent) {
      setTyped(value);
      setSent(value);
    }
  }
  const send = (text: string): void => {
    const q = text.trim();
    if (q === value) return;
    setSent(q);
    onChange(q);
  };
  const sendSoon = useDebouncedCallback(send, TYPING_MS);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send(typed);
  };
  return (
    <form onSubmit={submit} className={styles.search}>
      <TextInput
        type="search"
        label={say('search')}
        value={typed}
        maxLength={SEARCH_CHARS_MAX}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          sendSoon(currentTarget.value);
        }}
      />
    </form>
  );
};

interface ListFiltersProps {
  filter: ListFilter;
  onChoose: (name: 'q' | 'status' | 'source', value: string) => void;
  onClear: () => void;
}

export const ListFilters = ({ filter, onChoose, onClear }: ListFiltersProps) => {
  const say = companyTexts.useTexts();
  const { q = '', status = '', external_source_code: source = '' } = filter;
  return (
    <FilterRow label={say('filters.label')}>
      <Search value={q} onChange={(text) => onChoose('q', text)} />
      <NativeSelect
        className={styles.choice}
        label={say('source')}
        value={source}
        data={[
          { value: '', label: say('any') },
          ...Object.entries(SOURCE_NAMES).map(([value, label]) => ({ value, label })),
        ]}
        onChange={({ currentTarget }) => onChoose('source', currentTarget.value)}
      />
      <NativeSelect
        className={styles.choice}
        label={say('status')}
        value={status}
        data={[
          { value: '', label: say('any.status') },
          ...STATUSES.map((value) => ({ value, label: connectionTexts.say(`status.${value}`) })),
        ]}
        onChange={({ currentTarget }) => onChoose('status', currentTarget.value)}
      />
      {Object.keys(filter).length > 0 && (
        <Button variant="subtle" onClick={onClear}>
          {say('clear')}
        </Button>
      )}
    </FilterRow>
  );
};

interface PartLinksProps {
  part: Part;
  address: URLSearchParams;
  /** Connections of each part; undefined while unknown. */
  counts: Readonly<Record<Part, number | undefined>>;
  /** True if the list has further pages, whose months are not counted. */
  isPaged: boolean;
}

export const PartLinks = ({ part, address, counts, isPaged }: PartLinksProps) => {
  const say = companyTexts.useTexts();
  return (
    <nav aria-label={say('parts.label')}>
      <ul className={styles.parts}>
        {PARTS.map((each) => {
          const number = counts[each];
          const label = each === 'months' && isPaged ? 'part.months.page' : (`part.${each}` as const);
          return (
            <li key={each}>
              <Button
                component={Link}
                size="xs"
                variant={each === part ? 'filled' : 'default'}
                aria-current={each === part ? 'true' : undefined}
                to={`?${withChoice(address, 'show', each === 'all' ? '' : each)}`}
              >
                {say(label, { number: number === undefined ? '…' : count(number) })}
              </Button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
};
