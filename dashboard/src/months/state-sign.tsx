/** Shows the state of a month as a sign and a word, so that no state depends on its colour. */
import { MONTH_STATES, type MonthState } from './cells.ts';
import styles from './months.module.css';
import { monthTexts } from './texts.ts';

const SIGNS: Readonly<Record<MonthState, string>> = {
  refused: '⊘',
  differs: '≠',
  missing: '✕',
  partial: '◐',
  unasked: '?',
  open: '…',
  complete: '✓',
  equal: '=',
};

export const StateSign = ({ state }: { state: MonthState }) => {
  const say = monthTexts.useTexts();
  return (
    <>
      <span className={styles.sign} aria-hidden>
        {SIGNS[state]}
      </span>
      <span>{say(`state.${state}`)}</span>
    </>
  );
};

export const StateBadge = ({ state }: { state: MonthState }) => (
  <span className={`${styles.badge} ${styles.state}`} data-state={state}>
    <StateSign state={state} />
  </span>
);

/** The meaning of every state. */
export const Legend = () => {
  const say = monthTexts.useTexts();
  return (
    <dl className={styles.legend}>
      {MONTH_STATES.map((state) => (
        <div key={state} className={styles.meaning}>
          <dt>
            <StateBadge state={state} />
          </dt>
          <dd>{say(`meaning.${state}`)}</dd>
        </div>
      ))}
    </dl>
  );
};
