/**
 * Page that replaces the credentials and starts a sync. A connection with the status `error` works again after a
 * successful sync.
 */
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import type { RJSFSchema } from '@rjsf/utils';
import { type FormEvent, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Connection, Schemas } from '../api/client.ts';
import { type FormHandle, type FormValues, SchemaForm } from '../form/schema-form.tsx';
import { readFindings } from '../problem/field-findings.ts';
import { FormProblem } from '../problem/form-problem.tsx';
import { Read } from '../problem/read.tsx';
import { Page } from '../shell/page.tsx';
import { common } from '../text/common-texts.ts';
import { startSync, useChange, useRefresh, useSources } from './connection-queries.ts';
import styles from './connections.module.css';
import { OfConnection } from './of-connection.tsx';
import { connectionTexts } from './texts.ts';

const CredentialsForm = ({ connection, source }: { connection: Connection; source: Schemas['ExternalSource'] }) => {
  const say = connectionTexts.useTexts();
  const back = common.useTexts()('action.cancel');
  const navigate = useNavigate();
  const schema = source.metadata.credentials_schema as RJSFSchema;
  const company = schema.properties?.company_rut === undefined ? undefined : connection.metadata.company_rut;
  const [credentials, setCredentials] = useState<FormValues>(company === undefined ? {} : { company_rut: company });
  const form = useRef<FormHandle>(null);
  const change = useChange(connection.id);
  const refresh = useRefresh(connection.id);
  const page = `/connections/${connection.id}`;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.reset();
    if (!form.current?.validateForm()) return;
    change.mutate(
      { credentials },
      {
        onSuccess: async () => {
          // A failure is ignored here, because the connection's page shows why the sync did not start. The API refuses
          // the sync if the connection is disabled or syncs too often.
          await startSync(connection.id, {}).catch(() => undefined);
          await refresh();
          void navigate(page);
        },
      },
    );
  };
  return (
    <form onSubmit={submit} noValidate className={styles.form}>
      <Stack gap="lg">
        <Text>{say('credentials.text')}</Text>
        {schema.properties?.company_rut !== undefined && <Text>{say('credentials.company')}</Text>}
        <SchemaForm
          id="credentials"
          ref={form}
          schema={schema}
          values={credentials}
          onChange={setCredentials}
          findings={readFindings(change.error)}
          path="credentials"
        />
        <FormProblem error={change.error} fields={['credentials']} />
        <Group>
          <Button type="submit" loading={change.isPending}>
            {say('credentials.submit')}
          </Button>
          <Anchor component={Link} to={page}>
            {back}
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
        <Page title={`${say('credentials.title')}: ${connection.name}`}>
          <Read query={sources}>
            {(all) => {
              const source = all.find(({ code }) => code === connection.external_source_code);
              return source && <CredentialsForm connection={connection} source={source} />;
            }}
          </Read>
        </Page>
      )}
    </OfConnection>
  );
};
