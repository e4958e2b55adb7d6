/** Form for URL and event types of a new or existing endpoint. Each refusal is shown next to its field. */
import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiRefusal } from '../api/refusal.ts';
import { findingAt, readFindings } from '../problem/field-findings.ts';
import { FormProblem } from '../problem/form-problem.tsx';
import { EVENT_TYPES, type EventType } from './event-types.ts';
import { webhookTexts } from './texts.ts';

export interface EndpointFields {
  url: string;
  event_types: EventType[];
}

interface EndpointFormProps {
  initial: EndpointFields;
  action: string;
  isPending: boolean;
  error: unknown;
  onSubmit: (fields: EndpointFields) => void;
  /** An address that the person can insert with a click instead of typing it. Undefined if no address is suggested. */
  suggestion?: { label: string; url: string } | undefined;
  children?: ReactNode;
}

const FIELDS = ['url', 'event_types'] as const;

export const EndpointForm = (props: EndpointFormProps) => {
  const { initial, action, isPending, error, onSubmit, suggestion, children } = props;
  const say = webhookTexts.useTexts();
  const [url, setUrl] = useState(initial.url);
  const [events, setEvents] = useState<string[]>(initial.event_types);
  const findings = readFindings(error);
  const limit =
    error instanceof ApiRefusal && error.code === 'webhook_limit_reached' ? say('limit.reached') : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit({ url: url.trim(), event_types: EVENT_TYPES.filter((type) => events.includes(type)) });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <TextInput
          type="url"
          label={say('field.url')}
          description={say('field.url.hint')}
          value={url}
          error={findingAt(findings, 'url')}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
        />
        {suggestion && (
          <Group>
            <Button size="xs" variant="default" onClick={() => setUrl(suggestion.url)}>
              {suggestion.label}
            </Button>
          </Group>
        )}
        <Checkbox.Group
          label={say('field.events')}
          value={events}
          onChange={setEvents}
          error={findingAt(findings, 'event_types')}
        >
          <Stack gap="xs" mt="xs" mb="xs">
            {EVENT_TYPES.map((type) => (
              <Checkbox key={type} value={type} label={say(`event.${type}`)} description={type} />
            ))}
          </Stack>
        </Checkbox.Group>
        <FormProblem error={error} fields={FIELDS} text={limit} />
        <Group>
          <Button type="submit" loading={isPending}>
            {action}
          </Button>
          {children}
        </Group>
      </Stack>
    </form>
  );
};
