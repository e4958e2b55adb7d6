/** Makes a link and shows its address once. */
import { Button, Card, Group, NativeSelect, Stack, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, type Connection, must, type Schemas } from '../api/client.ts';
import { readAgain } from '../api/queries.ts';
import { ApiRefusal } from '../api/refusal.ts';
import { useSources } from '../connections/connection-queries.ts';
import { ScopeChoice } from '../connections/scope-choice.tsx';
import { findingAt, readFindings } from '../problem/field-findings.ts';
import { FormProblem } from '../problem/form-problem.tsx';
import { Read } from '../problem/read.tsx';
import { SecretOnce } from '../secret/secret-once.tsx';
import { linkTexts } from './texts.ts';

type Source = Schemas['ExternalSource'];

const FIELDS = ['asked_by', 'name', 'return_url', 'enabled_scopes', 'metadata.reference'] as const;
const TEXT_FIELDS = ['asked_by', 'name', 'reference', 'return_url'] as const;
type TextField = (typeof TEXT_FIELDS)[number];
type Texts = Record<TextField, string>;

const EMPTY: Texts = { asked_by: '', name: '', reference: '', return_url: '' };
/** Fields of a repair, whose connection already has a name and a reference. */
const OF_REPAIR: readonly TextField[] = ['asked_by', 'return_url'];

/** An optional field that is empty is left out. */
const given = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ''));

type Body = Schemas['CreateConnectLinkRequest'];
const postLink = (body: Body) =>
  must(api.POST('/connect-links', { body, headers: { 'idempotency-key': crypto.randomUUID() } }));

const repairBody = ({ asked_by, return_url }: Texts, { id }: Connection): Body => ({
  ...given({ return_url }),
  kind: 'repair',
  asked_by,
  connection_id: id,
});

const singleBody = ({ asked_by, name, reference, return_url }: Texts, source: Source, scopes: string[]): Body => ({
  ...given({ name, return_url }),
  kind: 'single',
  asked_by,
  external_source_code: source.code,
  enabled_scopes: scopes,
  metadata: given({ reference }),
});

const LinkForm = ({
  sources,
  repaired,
}: {
  sources: readonly [Source, ...Source[]];
  repaired: Connection | undefined;
}) => {
  const say = linkTexts.useTexts();
  const [texts, setTexts] = useState(EMPTY);
  const [code, setCode] = useState(sources[0].code);
  const source = sources.find((each) => each.code === code) ?? sources[0];
  const [scopes, setScopes] = useState<string[]>(source.supported_scopes);
  const create = useMutation({
    mutationFn: () => postLink(repaired ? repairBody(texts, repaired) : singleBody(texts, source, scopes)),
    onSuccess: () => {
      setTexts((before) => ({ ...EMPTY, asked_by: before.asked_by }));
      void readAgain({ queryKey: ['connect-links'] });
    },
  });
  const findings = readFindings(create.error);
  const limit =
    create.error instanceof ApiRefusal && create.error.code === 'connect_link_limit_reached' ? say('limit') : undefined;
  const choose = (chosen: string): void => {
    setCode(chosen);
    setScopes(sources.find((each) => each.code === chosen)?.supported_scopes ?? []);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <Stack>
      {create.data && (
        <SecretOnce
          key={create.data.data.id}
          title={say('made.title')}
          secret={create.data.data.url}
          onDone={create.reset}
        />
      )}
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          {!repaired && (
            <NativeSelect
              label={say('field.source')}
              value={source.code}
              onChange={({ currentTarget }) => choose(currentTarget.value)}
              data={sources.map((each) => ({ value: each.code, label: each.name }))}
            />
          )}
          {TEXT_FIELDS.filter((field) => !repaired || OF_REPAIR.includes(field)).map((field) => (
            <TextInput
              key={field}
              label={say(`field.${field}`)}
              description={say(`field.${field}.help`)}
              value={texts[field]}
              error={findingAt(findings, field === 'reference' ? 'metadata.reference' : field)}
              onChange={({ currentTarget }) => setTexts({ ...texts, [field]: currentTarget.value })}
            />
          ))}
          {!repaired && (
            <ScopeChoice
              label={say('field.scopes')}
              scopes={source.scopes}
              value={scopes}
              onChange={setScopes}
              error={findingAt(findings, 'enabled_scopes')}
            />
          )}
          <FormProblem error={create.error} fields={FIELDS} text={limit} />
          <Group>
            <Button type="submit" loading={create.isPending}>
              {say('create')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Stack>
  );
};

export const CreateLink = ({ repaired }: { repaired?: Connection }) => {
  const say = linkTexts.useTexts();
  const sources = useSources();
  const title = repaired ? say('create.repair', { name: repaired.name }) : say('create.title');
  return (
    <Card withBorder component="section" aria-label={title}>
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      <Read query={sources}>
        {(all) => {
          const [first, ...others] = all.filter((each) => each.is_active);
          return first && <LinkForm sources={[first, ...others]} repaired={repaired} />;
        }}
      </Read>
    </Card>
  );
};
