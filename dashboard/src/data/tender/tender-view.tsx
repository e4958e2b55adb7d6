/**
 * The data of one tender. The tender's code is in the page's address; without it, the first code that the connection
 * follows is used.
 */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useSearchParams } from 'react-router';
import { type Connection, readJson } from '../../api/client.ts';
import { common } from '../../text/common-texts.ts';
import { withCurrencyField } from '../account-currencies.ts';
import { pathWith } from '../find-resource.ts';
import type { Row } from '../resource.ts';
import type { ScopeList } from '../scope-list.ts';
import { ScopeView } from '../scope-view.tsx';
import { tenderTexts } from './texts.ts';

const CODE = 'codigo';

const codesOf = ({ metadata }: Connection): string[] => {
  const { codigos } = metadata as { codigos?: unknown };
  return Array.isArray(codigos) ? codigos.map(String) : [];
};

const CodeForm = ({ connection, code }: { connection: Connection; code: string }) => {
  const say = tenderTexts.useTexts();
  const [, setAddress] = useSearchParams();
  const [typed, setTyped] = useState(code);
  const list = useId();
  const open = (event: FormEvent): void => {
    event.preventDefault();
    const wanted = typed.trim().toUpperCase();
    setAddress(wanted === '' ? {} : { [CODE]: wanted });
  };
  return (
    <form onSubmit={open}>
      <Group align="flex-end">
        <TextInput
          label={say('code.label')}
          value={typed}
          list={list}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <datalist id={list}>
          {codesOf(connection).map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
        <Button type="submit">{say('code.open')}</Button>
      </Group>
    </form>
  );
};

interface TenderViewProps {
  known: Pick<ScopeList, 'resource' | 'connectionId' | 'title' | 'filters'>;
  connection: Connection;
}

/**
 * Shows offers after the currency of the tender is known, or after the request for the tender failed. Offers do not
 * report their currency.
 */
const OfferView = ({ list, code }: { list: ScopeList; code: string }) => {
  const path = pathWith('/connections/{id}/licitaciones/{codigo}', list.connectionId, code);
  const query = useQuery({
    queryKey: ['row', path],
    queryFn: ({ signal }) => readJson<{ data: Row }>(path, new URLSearchParams(), signal),
  });
  if (query.isPending) return <Text role="status">{common.say('state.loading')}</Text>;
  const { moneda } = query.data?.data ?? {};
  const currency = typeof moneda === 'string' && moneda !== '' ? moneda : null;
  return <ScopeView list={{ ...list, resource: withCurrencyField(list.resource), tenderCurrency: currency }} />;
};

export const TenderView = ({ known, connection }: TenderViewProps) => {
  const say = tenderTexts.useTexts();
  const [address] = useSearchParams();
  const code = address.get(CODE) ?? codesOf(connection)[0] ?? '';
  const path = pathWith(known.resource.path, known.connectionId, code);
  const hasAmounts = known.resource.fields.some(({ name }) => name === 'total_oferta');
  return (
    <Stack>
      <CodeForm key={code} connection={connection} code={code} />
      {code === '' && <Text>{say('code.none')}</Text>}
      {code !== '' && !hasAmounts && <ScopeView key={path} list={{ ...known, path }} />}
      {code !== '' && hasAmounts && <OfferView key={path} list={{ ...known, path }} code={code} />}
    </Stack>
  );
};
