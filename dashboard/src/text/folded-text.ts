/** Returns the text without case and accents, for searches. */
export const foldedText = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
