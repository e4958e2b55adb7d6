/** Fetches the transfers of a month: every account, both directions (banks.md §3.1). */
import type { JsonObject } from '../source.ts';
import type { Accounts, ListedAccount } from './accounts.ts';
import type { BankClient } from './client.ts';
import { checkEcho, compact } from './kept.ts';
import { pullPages } from './pages.ts';
import { transferWindow } from './transfer-window.ts';
import { TRANSFERS_URL } from './wire.ts';

export const SIDES = [
  { direction: 'received', word: 'RECIBIDAS' },
  { direction: 'issued', word: 'ENVIADAS' },
] as const;

export type TransferSide = (typeof SIDES)[number];

export const listKey = (side: TransferSide, account: ListedAccount): string => `${side.direction}/${account.place}`;

export const pullTransfers = async (
  period: string,
  { accounts, today }: Accounts,
  client: BankClient,
): Promise<void> => {
  const window = transferWindow(period, today);
  if (window === undefined) return;
  const days = { fechaDesde: compact(window.from), fechaHasta: compact(window.to) };
  for (const account of accounts) {
    client.progress(`transfers ${period}: account ${account.place} of ${accounts.length}`);
    for (const side of SIDES) {
      const key = listKey(side, account);
      const list = {
        key,
        url: TRANSFERS_URL,
        body: { direccion: side.word, ...days, numeroCuenta: account.number },
        ...({ rows: 'transferencias', names: 'company' } as const),
        request: { account: account.number },
        check: (body: JsonObject) => checkEcho(body, 'direccion', side.word, key),
        // The portal decides on which day its 12 months begin, so it may refuse the oldest month completely.
        ...(window.isCut ? { refusals: ['RANGO_EXCEDIDO'] } : {}),
      };
      await pullPages(list, client);
    }
  }
};
