/** The form that connects a source, generated from the source's schemas. */
import { Button, Group, Stack, TextInput, Title } from '@mantine/core';
import type { RJSFSchema } from '@rjsf/utils';
import { type FormEvent, useRef, useState } from 'react';
import type { Schemas } from '../api/client.ts';
import { type FormHandle, type FormValues, SchemaForm } from '../form/schema-form.tsx';
import { findingAt, readFindings } from '../problem/field-findings.ts';
import { FormProblem } from '../problem/form-problem.tsx';
import { ruleTexts } from '../problem/plain-rule.ts';
import { CompanyOffer } from './company-offer.tsx';
import { type Made, useNewConnection } from './new-connection.ts';
import { ScopeChoice } from './scope-choice.tsx';
import { connectionTexts } from './texts.ts';

const FIELDS = ['name', 'enabled_scopes', 'credentials', 'metadata'];

export const CreateForm = ({ source, onMade }: { source: Schemas['ExternalSource']; onMade: (made: Made) => void }) => {
  const say = connectionTexts.useTexts();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<string[]>(source.supported_scopes);
  const [credentials, setCredentials] = useState<FormValues>({});
  const [metadata, setMetadata] = useState<FormValues>({});
  const [isIncomplete, setIncomplete] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const credentialsForm = useRef<FormHandle>(null);
  const metadataForm = useRef<FormHandle>(null);
  const creation = useNewConnection(onMade);
  const findings = readFindings(creation.error);
  const credentialsSchema = source.metadata.credentials_schema as RJSFSchema;
  const metadataSchema = source.metadata.connection_metadata_schema as RJSFSchema;
  const hasMetadata = Object.keys(metadataSchema.properties ?? {}).length > 0;
  const missing = (isMissing: boolean) => (isIncomplete && isMissing ? ruleTexts.say('required') : undefined);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Removes the API's findings about the previous attempt, because they do not apply to this attempt.
    creation.reset();
    // Validates both forms before the result is used, so that each form shows its own findings.
    const areGood = [credentialsForm, metadataForm].map(({ current }) => current?.validateForm() ?? true);
    const isGood = !areGood.includes(false) && name.trim() !== '' && scopes.length > 0;
    setIncomplete(!isGood);
    if (!isGood) {
      setAttempt((before) => before + 1);
      return;
    }
    creation.mutate({ external_source_code: source.code, name, enabled_scopes: scopes, credentials, metadata });
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg">
        <TextInput
          label={say('create.name')}
          description={say('create.name.help')}
          withAsterisk
          required
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={findingAt(findings, 'name') ?? missing(name.trim() === '')}
        />
        <Stack gap="sm">
          <Title order={2} size="h4">
            {say('create.credentials')}
          </Title>
          <SchemaForm
            id="credentials"
            ref={credentialsForm}
            schema={credentialsSchema}
            values={credentials}
            onChange={setCredentials}
            findings={findings}
            path="credentials"
          />
        </Stack>
        {hasMetadata && (
          <Stack gap="sm">
            <Title order={2} size="h4">
              {say('create.settings')}
            </Title>
            <CompanyOffer
              credentials={credentials}
              metadata={metadata}
              name={name}
              onUse={(company) =>
                setMetadata((before) => ({ ...company, ...before, company_rut: company.company_rut }))
              }
            />
            <SchemaForm
              id="metadata"
              ref={metadataForm}
              schema={metadataSchema}
              values={metadata}
              onChange={setMetadata}
              findings={findings}
              path="metadata"
            />
          </Stack>
        )}
        <ScopeChoice
          label={say('create.scopes')}
          scopes={source.scopes}
          value={scopes}
          onChange={setScopes}
          error={findingAt(findings, 'enabled_scopes') ?? missing(scopes.length === 0)}
        />
        <FormProblem error={creation.error} fields={FIELDS} attempt={attempt} />
        <Group>
          <Button type="submit" loading={creation.isPending}>
            {say('create.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
