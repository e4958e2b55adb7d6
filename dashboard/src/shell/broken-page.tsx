/**
 * Shown instead of a page that could not be loaded or rendered. The frame around the page stays, and a button lets the
 * person continue.
 */
import { useRouteError } from 'react-router';
import { LostConnection } from '../api/refusal.ts';
import { Problem } from '../problem/problem.tsx';

/**
 * True if a page's file could not be loaded. Each browser has its own message for a script, and Vite one for a style
 * sheet.
 */
const isLostFile = (error: unknown): boolean =>
  (error instanceof TypeError && /import|module|fetch|load/i.test(error.message)) ||
  (error instanceof Error && error.message.startsWith('Unable to preload CSS'));

export const BrokenPage = () => {
  const error = useRouteError();
  return (
    <Problem error={isLostFile(error) ? new LostConnection(error) : error} onRetry={() => window.location.reload()} />
  );
};
