/** Returns the title of a chart with the currency, if rows or balances report a currency. */
export const inCurrency = (title: string, currency: string): string =>
  currency === '' ? title : `${title} (${currency})`;
