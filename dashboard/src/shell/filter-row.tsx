/** The filters of a list, next to each other as far as the page is wide. */
import type { ReactNode } from 'react';
import styles from './filter-row.module.css';

export const FilterRow = ({ label, children }: { label: string; children: ReactNode }) => (
  <fieldset className={styles.filters} aria-label={label}>
    {children}
  </fieldset>
);
