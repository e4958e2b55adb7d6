/** Adds the currency to the title of a chart, if rows or balances report it. */
export const inCurrency = (title: string, currency: string): string =>
  currency === '' ? title : `${title} (${currency})`;
