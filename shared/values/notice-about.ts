/** Catalogue entry for the last word of a notice code. */
export interface NoticeAbout {
  /** Scopes or sources that use it, which come before the word in the code. */
  of: readonly string[];
  /** Who could change the cause. */
  mender: 'nobody' | 'owner' | 'source' | 'us';
  /** The text for people. */
  es: string;
  en: string;
  /** What the person can do. */
  todo: string;
  /** Why no login of a simulated institution shows it, for scopes in which none does. */
  noLogin?: string;
}
