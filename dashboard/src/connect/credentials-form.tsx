/** The form of the institution's credentials. The typed values stay in memory only. */
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import type { RJSFSchema } from '@rjsf/utils';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { queries, readAgain } from '../api/queries.ts';
import { ApiRefusal } from '../api/refusal.ts';
import { type FormHandle, type FormValues, SchemaForm } from '../form/schema-form.tsx';
import { readFindings } from '../problem/field-findings.ts';
import { FormProblem } from '../problem/form-problem.tsx';
import { type LinkSession, sendCredentials } from './link-session.ts';
import { connectTexts } from './texts.ts';

export const CredentialsForm = ({ session, onDecline }: { session: LinkSession; onDecline: () => void }) => {
  const say = connectTexts.useTexts();
  const [credentials, setCredentials] = useState<FormValues>({});
  const form = useRef<FormHandle>(null);
  const sending = useMutation({
    mutationFn: sendCredentials,
    onSuccess: (after) => {
      setCredentials({});
      queries.setQueryData(['connect-session'], after);
    },
    // The link ended, or another tab sent credentials: the page reads what there is now.
    onError: (error) => {
      if (error instanceof ApiRefusal && (error.status === 409 || error.status === 410))
        void readAgain({ queryKey: ['connect-session'] });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    sending.reset();
    if (form.current?.validateForm()) sending.mutate(credentials);
  };
  const source = session.source.name;
  const isOther = sending.error instanceof ApiRefusal && sending.error.code === 'connect_link_other_login';
  const otherLogin = isOther ? say('other-login', { source }) : undefined;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Title order={2} size="h4">
          {say('form.title', { source })}
        </Title>
        <SchemaForm
          id="credentials"
          ref={form}
          schema={session.source.metadata.credentials_schema as RJSFSchema}
          values={credentials}
          onChange={setCredentials}
          findings={readFindings(sending.error)}
          path="credentials"
        />
        <FormProblem error={sending.error} fields={['credentials']} text={otherLogin} />
        {session.state !== 'asked' && <Text size="sm">{say('tries', { count: session.tries_left })}</Text>}
        <Group>
          <Button type="submit" loading={sending.isPending}>
            {say(session.state === 'asked' ? 'form.submit' : 'form.again')}
          </Button>
          <Button variant="default" disabled={sending.isPending} onClick={onDecline}>
            {say('form.decline')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
