/** Returns the last block of a UUID: ids that were made in the same minute begin alike. */
export const shortId = (id: string): string => id.split('-').at(-1) ?? id;
