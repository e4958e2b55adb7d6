/** Shows the totals of a month as one table: per figure the institution's amount and the amount of the stored rows. */
import { Fragment } from 'react';
import { useIsPhone } from '../shell/use-is-phone.ts';
import { count, money } from '../text/format.ts';
import { amountText } from './amount-text.ts';
import { coverageTexts, figureWord, shortGroupWords, typeWords } from './coverage-texts.ts';
import styles from './figures.module.css';
import { type FigureLine, type FigureTable, findDifference, isCount } from './figures.ts';
import { findGroupCurrency } from './group-currency.ts';

/** Account number → currency. */
type Currencies = ReadonlyMap<string, string>;

const shownFigure = (figure: string, amount: string, currency: string | undefined): string =>
  isCount(figure) ? money(amount) : amountText(amount, currency);

interface PairProps {
  figure: string;
  line: FigureLine;
  currencies: Currencies;
}

const Pair = ({ figure, line, currencies }: PairProps) => {
  const say = coverageTexts.useTexts();
  const pair = line.pairs.get(figure);
  const currency = findGroupCurrency(currencies, line.group);
  const { institution = null, ours = null } = pair ?? {};
  const difference = pair === undefined ? null : findDifference(pair);
  return (
    <>
      <td className={styles.begins}>{institution !== null && shownFigure(figure, institution, currency)}</td>
      <td>
        {ours !== null && shownFigure(figure, ours, currency)}
        {difference !== null && (
          <span className={styles.difference}>
            {say('figures.difference', { difference: shownFigure(figure, difference, currency) })}
          </span>
        )}
      </td>
    </>
  );
};

const LineName = ({ line }: { line: FigureLine }) => {
  const say = coverageTexts.useTexts();
  const { group, kind, hasCreditNotes, verdict, rowsNotShown: rows } = line;
  return (
    <>
      {kind === 'sum' && say('figures.sum', { group: shortGroupWords(group) })}
      {kind === 'part' && typeWords(group)}
      {kind === 'single' && shortGroupWords(group)}
      {(kind !== 'part' || verdict !== 'equal') && (
        <span className={styles.note}>{say('figures.verdict', { verdict: say(`verdict.${verdict}`) })}</span>
      )}
      {hasCreditNotes && <span className={styles.note}>{say('figures.credit-notes')}</span>}
      {rows > 0 && <span className={styles.note}>{say('gone', { count: rows, number: count(rows) })}</span>}
    </>
  );
};

interface FiguresTableProps {
  table: FigureTable;
  /** Accessible name. */
  label: string;
  currencies: Currencies;
}

const lineKey = ({ kind, group }: FigureLine): string => `${kind}${JSON.stringify(group)}`;

/** A block of rows for each line: a row has the two amounts of one figure. */
const NarrowTable = ({ table: { figures, lines }, label, currencies }: FiguresTableProps) => {
  const say = coverageTexts.useTexts();
  return (
    <table aria-label={label} className={styles.narrow}>
      <thead>
        <tr>
          <th scope="col">{say('figures.type')}</th>
          <th scope="col">{say('detail.institution')}</th>
          <th scope="col">{say('detail.ours')}</th>
        </tr>
      </thead>
      {lines.map((line) => (
        <tbody key={lineKey(line)}>
          <tr>
            <th scope="rowgroup" colSpan={3} className={styles.line}>
              <LineName line={line} />
            </th>
          </tr>
          {figures
            .filter((figure) => line.pairs.has(figure))
            .map((figure) => (
              <tr key={figure}>
                <th scope="row">{figureWord(figure)}</th>
                <Pair {...{ figure, line, currencies }} />
              </tr>
            ))}
        </tbody>
      ))}
    </table>
  );
};

/** A row for each line, and a pair of columns for each figure. */
const BroadTable = ({ table: { figures, lines }, label, currencies }: FiguresTableProps) => {
  const say = coverageTexts.useTexts();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll a wide table
    <section tabIndex={0} aria-label={label} className={styles.frame}>
      <table aria-label={label} className={styles.table}>
        <thead>
          <tr>
            <th rowSpan={2} scope="col" className={styles.first}>
              {say('figures.type')}
            </th>
            {figures.map((figure) => (
              <th key={figure} colSpan={2} scope="colgroup" className={`${styles.figure} ${styles.begins}`}>
                {figureWord(figure)}
              </th>
            ))}
          </tr>
          <tr>
            {figures.map((figure) => (
              <Fragment key={figure}>
                <th scope="col" className={styles.begins}>
                  {say('detail.institution')}
                </th>
                <th scope="col">{say('detail.ours')}</th>
              </Fragment>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={lineKey(line)} data-kind={line.kind}>
              <th scope="row" className={styles.first}>
                <LineName line={line} />
              </th>
              {figures.map((figure) => (
                <Pair key={figure} {...{ figure, line, currencies }} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};

export const FiguresTable = (props: FiguresTableProps) =>
  useIsPhone() ? <NarrowTable {...props} /> : <BroadTable {...props} />;
