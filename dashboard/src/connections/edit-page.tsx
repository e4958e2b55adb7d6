/** Page to edit the name, the scopes and the settings of a connection. */
import { Anchor, Button, Group, Stack, TextInput } from '@mantine/core';
import type { RJSFSchema } from '@rjsf/utils';
import { type FormEvent, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Connection, Schemas } from '../api/client.ts';
import { type FormValues, SchemaForm } from '../form/schema-form.tsx';
import { findingAt, readFindings } from '../problem/field-findings.ts';
import { FormProblem } from '../problem/form-problem.tsx';
import { Read } from '../problem/read.tsx';
import { Page } from '../shell/page.tsx';
import { common } from '../text/common-texts.ts';
import { useChange, useSources } from './connection-queries.ts';
import styles from './connections.module.css';
import { OfConnection } from './of-connection.tsx';
import { ScopeChoice } from './scope-choice.tsx';
import { connectionTexts } from './texts.ts';

const EditForm = ({ connection, source }: { connection: Connection; source: Schemas['ExternalSource'] }) => {
  const say = connectionTexts.useTexts();
  const sayCommon = common.useTexts();
  const navigate = useNavigate();
  const [name, setName] = useState(connection.name);
  const [scopes, setScopes] = useState(connection.enabled_scopes);
  const [metadata, setMetadata] = useState<FormValues>(connection.metadata);
  const change = useChange(connection.id);
  const findings = readFindings(change.error);
  const schema = source.metadata.connection_metadata_schema as RJSFSchema;
  const hasMetadata = Object.keys(schema.properties ?? {}).length > 0;
  const page = `/connections/${connection.id}`;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ name, enabled_scopes: scopes, metadata }, { onSuccess: () => void navigate(page) });
  };
  return (
    <form onSubmit={submit} noValidate className={styles.form}>
      <Stack gap="lg">
        <TextInput
          label={say('create.name')}
          withAsterisk
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={findingAt(findings, 'name')}
        />
        {hasMetadata && (
          <SchemaForm
            id="metadata"
            schema={schema}
            values={metadata}
            onChange={setMetadata}
            findings={findings}
            path="metadata"
          />
        )}
        <ScopeChoice
          label={say('create.scopes')}
          scopes={source.scopes}
          value={scopes}
          onChange={setScopes}
          error={findingAt(findings, 'enabled_scopes')}
        />
        <FormProblem error={change.error} fields={['name', 'metadata', 'enabled_scopes']} />
        <Group>
          <Button type="submit" loading={change.isPending}>
            {sayCommon('action.save')}
          </Button>
          <Anchor component={Link} to={page}>
            {sayCommon('action.cancel')}
          </Anchor>
        </Group>
      </Stack>
    </form>
  );
};

export const Component = () => {
  const say = connectionTexts.useTexts();
  const sources = useSources();
  return (
    <OfConnection>
      {(connection) => (
        <Page title={say('edit.title', { name: connection.name })}>
          <Read query={sources}>
            {(all) => {
              const source = all.find(({ code }) => code === connection.external_source_code);
              return source && <EditForm connection={connection} source={source} />;
            }}
          </Read>
        </Page>
      )}
    </OfConnection>
  );
};
