/**
 * The language of the page is the one that the person chose in this browser, or else the first of Spanish and English in
 * the browser's setting. If the setting names neither, the page is in Spanish, because the companies are Chilean.
 */
export const LANGUAGES = ['es', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

export const chooseLanguage = (wanted: readonly string[]): Language => {
  for (const tag of wanted) {
    const found = LANGUAGES.find((language) => tag.toLowerCase().split('-')[0] === language);
    if (found !== undefined) return found;
  }
  return 'es';
};

/** Name of the choice in the browser's storage. */
export const CHOICE = 'language';

const chosen = (): string[] => {
  try {
    return [localStorage.getItem(CHOICE) ?? ''];
  } catch {
    // The browser refuses storage.
    return [];
  }
};

export const language: Language = chooseLanguage([...chosen(), ...navigator.languages]);

/** Texts of the service are English, so only an English page shows them. Returns null on another page. */
export const inEnglish = (text: string | null): string | null => (language === 'en' ? text : null);

/** Locale for numbers and dates; Chile writes 1.234,5 and 21-11-2026. */
export const locale = language === 'es' ? 'es-CL' : 'en-GB';
