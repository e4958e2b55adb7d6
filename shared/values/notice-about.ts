/** Catalogue entry of a notice. The entry's key is the last word of the notice code. */
export interface NoticeAbout {
  /** Scopes or sources that use this notice. In the code, the scope or source comes before the word. */
  of: readonly string[];
  /** Who can remove the cause of the notice. */
  mender: 'nobody' | 'owner' | 'source' | 'us';
  /** The text of the notice for people, in Spanish and English. */
  es: string;
  en: string;
  /** What a person can do about the notice. */
  todo: string;
  /**
   * Reason why no login of a simulated institution shows this notice. Present only for scopes in which no login shows
   * it.
   */
  noLogin?: string;
}
