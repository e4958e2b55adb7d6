import { Button } from '@mantine/core';
import { common } from './common-texts.ts';
import { CHOICE, language } from './language.ts';

const OTHER = language === 'es' ? 'en' : 'es';

/** Stores the other language and loads the page again. Text that was typed is lost. */
const switchLanguage = (): void => {
  try {
    localStorage.setItem(CHOICE, OTHER);
  } finally {
    location.reload();
  }
};

/** Button with the name of the other language, in that language. */
export const LanguageButton = () => (
  <Button size="xs" variant="default" lang={OTHER} onClick={switchLanguage}>
    {common.useTexts()('language')}
  </Button>
);
