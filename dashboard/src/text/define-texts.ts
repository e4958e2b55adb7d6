/**
 * The words of one feature in both languages. Keys are flat (`list.title`) and checked when this compiles: the English
 * ones must be exactly the Spanish ones. Values in `{{name}}`; plurals by i18next's suffixes `_one`, `_many`, `_other`.
 */
import i18next from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import { language } from './language.ts';

type Plural = '_one' | '_many' | '_other';
type Base<K> = K extends `${infer B}${Plural}` ? B : K;
export type TextValues = Record<string, string | number>;
/** A key without its plural suffix; with `count` among the values the right form is chosen. */
export type Say<K extends string> = (key: Base<K> & string, values?: TextValues) => string;

void i18next.use(initReactI18next).init({
  lng: language,
  fallbackLng: false,
  keySeparator: false,
  nsSeparator: false,
  // React escapes.
  interpolation: { escapeValue: false },
  resources: {},
});

/** @param namespace the feature's folder */
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
    /** In a component. */
    useTexts: (): Say<K> => useTranslation(namespace).t as unknown as Say<K>,
    /** Anywhere else. */
    say: i18next.getFixedT(null, namespace) as unknown as Say<K>,
  };
};
