/** Tells the shell that the session ended, wherever that was noticed: it asks to sign in over the page as it stands. */
type Listener = () => void;

const listeners = new Set<Listener>();

export const sessionIsOver = (): void => {
  for (const listener of listeners) listener();
};

export const onSessionOver = (listener: Listener): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
