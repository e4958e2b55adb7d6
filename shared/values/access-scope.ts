/** The one thing that a client may ask for: to read what was synchronized. */
export const DATA_SCOPE = 'data:read';
