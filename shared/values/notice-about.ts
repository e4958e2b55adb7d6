/** What the catalogue of notices says of each word that ends a code. */
export interface NoticeAbout {
  /** Scopes that tell it, or sources: what stands before the word. */
  of: readonly string[];
  /** Who could change it. */
  mender: 'nobody' | 'owner' | 'source' | 'us';
  /** What is told, for a person. */
  es: string;
  en: string;
  /** What the person should do. */
  todo: string;
  /** Why no login of a simulated institution shows it, in the scopes where none does. */
  noLogin?: string;
}
