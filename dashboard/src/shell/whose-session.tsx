/** Names the organization and the person of the session, so that a person notices a session of somebody else. */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/session.ts';
import { shortId } from '../text/short-id.ts';
import styles from './shell.module.css';
import { shellTexts } from './texts.ts';

export const WhoseSession = () => {
  const say = shellTexts.useTexts();
  const { data } = useQuery(sessionQuery);
  if (data === undefined) return null;
  const { organization_id: organization, email, person_id: personId } = data.data;
  const person = email ?? (personId === null ? null : shortId(personId));
  return (
    <Text size="xs" c="dimmed" className={styles.whose}>
      <span title={organization}>{say('session.organization', { organization: shortId(organization) })}</span> ·{' '}
      <span title={personId ?? undefined}>
        {person === null ? say('session.nobody') : say('session.person', { person })}
      </span>
    </Text>
  );
};
