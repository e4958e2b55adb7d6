/**
 * Page that connects a source: the person chooses a source, fills in its form and chooses scopes; then the connection
 * is created and synchronized.
 */
import { Alert, Anchor, Paper, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Schemas } from '../api/client.ts';
import { Read } from '../problem/read.tsx';
import { Page } from '../shell/page.tsx';
import { type SourceType, useSources } from './connection-queries.ts';
import styles from './connections.module.css';
import { CreateForm } from './create-form.tsx';
import type { Made } from './new-connection.ts';
import { connectionTexts } from './texts.ts';

type ExternalSource = Schemas['ExternalSource'];

const SourceChoice = ({
  sources,
  code,
  onChange,
}: {
  sources: ExternalSource[];
  code: string;
  onChange: (c: string) => void;
}) => {
  const say = connectionTexts.useTexts();
  return (
    <Radio.Group label={say('create.source')} value={code} onChange={onChange}>
      <div className={styles.sources}>
        {sources.map((source) => (
          <Paper key={source.code} withBorder p="sm" radius="md">
            <Radio
              value={source.code}
              label={source.name}
              description={say(`create.source.type.${source.type as SourceType}`)}
            />
          </Paper>
        ))}
      </div>
    </Radio.Group>
  );
};

export const Component = () => {
  const say = connectionTexts.useTexts();
  const navigate = useNavigate();
  const sources = useSources();
  const [code, setCode] = useState('');
  const [stuck, setStuck] = useState<string>();
  const made = ({ connection: { id }, isSyncing }: Made) => {
    if (isSyncing) void navigate(`/connections/${id}`);
    else setStuck(id);
  };
  return (
    <Page title={say('create.title')}>
      <Read query={sources}>
        {(all) => {
          const active = all.filter(({ is_active: isActive }) => isActive);
          const source = active.find((each) => each.code === code);
          return (
            <Stack className={styles.form} gap="lg">
              <SourceChoice sources={active} code={code} onChange={setCode} />
              {stuck !== undefined && (
                <Alert color="orange" role="alert">
                  <Text size="sm">{say('create.made')}</Text>
                  <Anchor component={Link} to={`/connections/${stuck}`}>
                    {say('create.open')}
                  </Anchor>
                </Alert>
              )}
              {source && stuck === undefined && <CreateForm key={source.code} source={source} onMade={made} />}
            </Stack>
          );
        }}
      </Read>
    </Page>
  );
};
