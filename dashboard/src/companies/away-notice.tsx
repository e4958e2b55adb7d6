/** Shown above a list that stays although the API does not answer. */
import { Alert } from '@mantine/core';
import { ApiRefusal, LostConnection } from '../api/refusal.ts';
import { Problem } from '../problem/problem.tsx';
import { timeOfDay } from '../text/format.ts';
import type { StayingList } from './list-queries.ts';
import { companyTexts } from './texts.ts';

const isAway = (error: unknown): boolean =>
  error instanceof LostConnection || (error instanceof ApiRefusal && error.status >= 500);

export const AwayNotice = ({ list }: { list: StayingList }) => {
  const say = companyTexts.useTexts();
  const { error, page, readAtMs, isEarlier, retry } = list;
  if (error === null) return null;
  if (page === undefined || !isAway(error)) return <Problem error={error} onRetry={retry} />;
  return (
    <Alert color="orange" variant="light" role="status">
      {say(isEarlier ? 'away.previous' : 'away.now', { time: timeOfDay(new Date(readAtMs).toISOString()) })}
    </Alert>
  );
};
