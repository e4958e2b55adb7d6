/**
 * Lets any part of the page notify the shell that the session ended. The shell then shows the sign-in over the current
 * page.
 */
type Listener = () => void;

const listeners = new Set<Listener>();

export const sessionIsOver = (): void => {
  for (const listener of listeners) listener();
};

export const onSessionOver = (listener: Listener): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
