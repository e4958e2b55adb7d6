/**
 * Stores in the browser whether somebody was signed in when the dashboard was last used. Scripts cannot read the
 * cookie, so this value decides what the page shows until the API's first response, which may need a cold start,
 * arrives.
 */
const KEY = 'signed-in-here';

/** Returns false if the browser has no storage, so that nobody counts as signed in. */
const orFalse = (ask: () => boolean): boolean => {
  try {
    return ask();
  } catch {
    return false;
  }
};

export const wasHereBefore = (): boolean => orFalse(() => localStorage.getItem(KEY) !== null);

export const rememberHere = (isSignedIn: boolean): void => {
  orFalse(() => {
    if (isSignedIn) localStorage.setItem(KEY, 'yes');
    else localStorage.removeItem(KEY);
    return true;
  });
};
