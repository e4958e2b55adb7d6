import { CHOICE, language } from './language.ts';

/** Stores the other language and loads the page again. Text that was typed is lost. */
export const switchLanguage = (): void => {
  try {
    localStorage.setItem(CHOICE, language === 'es' ? 'en' : 'es');
  } finally {
    location.reload();
  }
};
