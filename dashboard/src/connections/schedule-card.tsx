/** Card of the schedule with a switch and a frequency. Each change is sent at once. */
import { NativeSelect, Paper, Stack, Switch, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Connection, must } from '../api/client.ts';
import { Problem } from '../problem/problem.tsx';
import { FREQUENCIES_MINUTES } from './codes.gen.ts';
import { useRefresh } from './connection-queries.ts';
import { nextSync } from './sync-times.ts';
import { connectionTexts } from './texts.ts';

const DAILY = 1440;
type Frequency = (typeof FREQUENCIES_MINUTES)[number];

interface Setting {
  enabled: boolean;
  frequency_minutes: Frequency;
}

const frequencyOf = (minutes: number | null): Frequency =>
  FREQUENCIES_MINUTES.find((each) => each === minutes) ?? DAILY;

export const ScheduleCard = ({ connection }: { connection: Connection }) => {
  const say = connectionTexts.useTexts();
  const refresh = useRefresh(connection.id);
  const path = { id: connection.id };
  // The new value is stored here in the same event, because a controlled switch would otherwise jump back until the
  // response arrives. After a refusal the previous value is shown again.
  const [chosen, setChosen] = useState<Setting>();
  const setting = useMutation({
    mutationFn: (body: Setting) => must(api.PUT('/connections/{id}/schedule', { params: { path }, body })),
    onSuccess: () => refresh(),
    onSettled: () => setChosen(undefined),
  });
  const choose = (body: Setting): void => {
    setChosen(body);
    setting.mutate(body);
  };
  const frequency = chosen?.frequency_minutes ?? frequencyOf(connection.sync_frequency_minutes);
  const isEnabled = chosen?.enabled ?? connection.sync_schedule_enabled;
  return (
    <Paper withBorder p="md" radius="md">
      <Stack gap="sm">
        <Title order={2} size="h4">
          {say('schedule.title')}
        </Title>
        <Switch
          label={say('schedule.enabled')}
          checked={isEnabled}
          disabled={setting.isPending}
          onChange={({ currentTarget }) => choose({ enabled: currentTarget.checked, frequency_minutes: frequency })}
        />
        <NativeSelect
          label={say('schedule.frequency')}
          value={String(frequency)}
          disabled={setting.isPending}
          data={FREQUENCIES_MINUTES.map((value) => ({ value: String(value), label: say(`schedule.${value}`) }))}
          onChange={({ currentTarget }) =>
            choose({ enabled: isEnabled, frequency_minutes: frequencyOf(Number(currentTarget.value)) })
          }
        />
        <Text size="sm">
          {say('next')}: {nextSync(connection)}
        </Text>
        {setting.error !== null && <Problem error={setting.error} />}
      </Stack>
    </Paper>
  );
};
