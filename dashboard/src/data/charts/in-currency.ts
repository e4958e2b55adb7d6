/** A chart of amounts says in which currency they are, where rows or balances tell it. */
export const inCurrency = (title: string, currency: string): string =>
  currency === '' ? title : `${title} (${currency})`;
