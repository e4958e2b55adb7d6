/** Shown when a page could not be loaded or rendered: the frame stays, with a way to continue. */
import { useRouteError } from 'react-router';
import { LostConnection } from '../api/refusal.ts';
import { Problem } from '../problem/problem.tsx';

/** Each browser has its own message when a page's file cannot be loaded. */
const isLostFile = (error: unknown): boolean =>
  error instanceof TypeError && /import|module|fetch|load/i.test(error.message);

export const BrokenPage = () => {
  const error = useRouteError();
  return (
    <Problem error={isLostFile(error) ? new LostConnection(error) : error} onRetry={() => window.location.reload()} />
  );
};
