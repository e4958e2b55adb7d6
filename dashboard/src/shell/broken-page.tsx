/** In place of a page that could not be loaded or shown: the frame stays, and there is a way on. */
import { useRouteError } from 'react-router';
import { LostConnection } from '../api/refusal.ts';
import { Problem } from '../problem/problem.tsx';

/** Browsers say it each in their own words when a page's file does not come. */
const isLostFile = (error: unknown): boolean =>
  error instanceof TypeError && /import|module|fetch|load/i.test(error.message);

export const BrokenPage = () => {
  const error = useRouteError();
  return (
    <Problem error={isLostFile(error) ? new LostConnection(error) : error} onRetry={() => window.location.reload()} />
  );
};
