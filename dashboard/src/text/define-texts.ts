/**
 * Defines the texts of one feature in both languages. Keys are flat (`list.title`), and the compiler checks that
 * English and Spanish have the same keys. Placeholders for values have the form `{{name}}`; plurals use i18next's
 * suffixes `_one`, `_many`, `_other`.
 */
import i18next from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import { language } from './language.ts';

type Plural = '_one' | '_many' | '_other';
type Base<K> = K extends `${infer B}${Plural}` ? B : K;
export type TextValues = Record<string, string | number>;
/** Function that returns a text. The key has no plural suffix, because the value `count` selects the plural form. */
export type Say<K extends string> = (key: Base<K> & string, values?: TextValues) => string;

void i18next.use(initReactI18next).init({
  lng: language,
  fallbackLng: false,
  keySeparator: false,
  nsSeparator: false,
  // Values need no escaping here, because React already escapes them.
  interpolation: { escapeValue: false },
  resources: {},
});

/** @param namespace name of the feature's folder */
export const defineTexts = <K extends string>(
  namespace: string,
  es: Readonly<Record<K, string>>,
  en: Readonly<Record<NoInfer<K>, string>>,
) => {
  i18next.addResourceBundle('es', namespace, es);
  i18next.addResourceBundle('en', namespace, en);
  return {
    namespace,
    es,
    en,
    /** Hook that returns the function for texts inside a component. */
    useTexts: (): Say<K> => useTranslation(namespace).t as unknown as Say<K>,
    /** Function for texts outside of components. */
    say: i18next.getFixedT(null, namespace) as unknown as Say<K>,
  };
};
