/**
 * Remembers whether somebody was signed in when the dashboard was last closed in this browser. Scripts cannot read the
 * cookie, and the API's first response may need a cold start; until it arrives, this value decides what the page shows.
 */
const KEY = 'signed-in-here';

/** Returns false in a browser without storage, which counts as not signed in. */
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
