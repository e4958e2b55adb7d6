/**
 * Whether somebody was signed in here when this browser left. The cookie itself no script can read, and the API answers a
 * stranger's first question by a function that is cold: until it does, this says what to show.
 */
const KEY = 'signed-in-here';

/** A browser that keeps nothing is a stranger each time. */
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
