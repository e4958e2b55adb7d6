/**
 * Demonstrates how a person lets an agent read data. Two connections are synchronized. An application obtains
 * permission in the way that people's applications do, and asks five questions by using only the tools. Each answer is
 * printed next to the institution's ledger.
 */
import Big from 'big.js';
import { addMonths, santiagoPeriod } from '#shared/values/dates.ts';
import { type Application, allowWith, connectApplication } from './agent-application.ts';
import { connect, type Demonstration, synchronize } from './steps.ts';
import type { RowTotals } from './totals.ts';

/** The ledger of a sandbox, in which a month may also have totals by group (`by`). */
type PartedLedger = Readonly<
  Record<string, Readonly<Record<string, RowTotals & { by?: Readonly<Record<string, RowTotals>> }>>>
>;

interface Group {
  rows: number;
  sums: Record<string, string>;
}

interface AskedQuestion {
  question: string;
  answer: string;
  ledger: string;
}

type AskTool = <T>(tool: string, args: object) => Promise<T>;

const asker =
  ({ client }: Application): AskTool =>
  async <T>(tool: string, args: object): Promise<T> => {
    const { structuredContent, isError } = await client.callTool({ name: tool, arguments: { ...args } });
    if (isError) throw new Error(`${tool}: ${JSON.stringify(structuredContent)}`);
    return structuredContent as T;
  };

const added = (groups: readonly Group[], field: string): string =>
  groups.reduce((sum, { sums }) => sum.plus(sums[field] ?? 0), Big(0)).toFixed();
const counted = (groups: readonly Group[]): number => groups.reduce((sum, { rows }) => sum + rows, 0);

const NONE: RowTotals = { count: 0, sums: {} };

interface Connections {
  tax: string;
  bankone: string;
}

const fiveQuestions = async (
  ask: AskTool,
  { tax, bankone }: Connections,
  ledgerOf: Demonstration['ledgerOf'],
  month: string,
): Promise<AskedQuestion[]> => {
  const [books, bank] = (await Promise.all([ledgerOf('tax'), ledgerOf('bankone')])) as unknown as PartedLedger[];
  const totals = async (connection_id: string, scope: string, filters?: object): Promise<Group[]> => {
    const args = { connection_id, scope, period: month, ...(filters ? { filters } : {}) };
    return (await ask<{ groups: Group[] }>('period_totals', args)).groups;
  };
  const held = (ledger: PartedLedger | undefined, scope: string, part?: string): RowTotals => {
    const whole = ledger?.[scope]?.[month];
    return (part === undefined ? whole : whole?.by?.[part]) ?? NONE;
  };
  const documents = await totals(tax, 'rcv');
  const sold = await totals(tax, 'rcv', { direction: 'issued', estado: 'registro' });
  const current = addMonths(month, 1);
  const pending = await ask<{ total: number }>('search_rows', {
    connection_id: tax,
    scope: 'rcv',
    period: current,
    filters: { direction: 'received', estado: 'pendiente' },
    limit: 1,
  });
  const receipts = await totals(tax, 'boletas');
  const income = await totals(bankone, 'movements', { direction: 'received' });
  return [
    {
      question: `How many documents does the register of ${month} have?`,
      answer: String(counted(documents)),
      ledger: String(held(books, 'rcv').count),
    },
    {
      question: `How much VAT do the registered sales of ${month} carry?`,
      answer: added(sold, 'vat_amount'),
      ledger: held(books, 'rcv', 'issued.registro').sums.vat_amount ?? '0',
    },
    {
      question: `How many purchases of ${current} are pending?`,
      answer: String(pending.total),
      ledger: String(books?.rcv?.[current]?.by?.['received.pendiente']?.count ?? 0),
    },
    {
      question: `How many receipts were given in ${month}?`,
      answer: added(receipts, 'total_documentos'),
      ledger: held(books, 'boletas').sums.total_documentos ?? '0',
    },
    {
      question: `How much money came into the bank in ${month}?`,
      answer: added(income, 'amount'),
      ledger: held(bank, 'movements', 'received').sums.amount ?? '0',
    },
  ];
};

const connected = async ({ stack }: Demonstration, source: string, scopes: string[]): Promise<[string, string]> => {
  const id = await connect(stack, source, scopes);
  const run = await synchronize(stack, id, (line) => console.log(`progress       ${source} ${line}`));
  console.log(`connected      ${source}: ${run.status}, ${run.records_found} rows`);
  return [id, run.status ?? ''];
};

/** Returns the differences; empty when every answer matches the ledger. */
export const demoAgent = async (demonstration: Demonstration): Promise<string[]> => {
  const { stack, ledgerOf } = demonstration;
  const [[tax, taxEnd], [bankone, bankEnd]] = await Promise.all([
    connected(demonstration, 'tax', ['rcv', 'boletas']),
    connected(demonstration, 'bankone', ['movements']),
  ]);
  const { origin } = new URL(stack.api);
  const application = await connectApplication(origin, allowWith(stack));
  console.log(`allowed        "${application.name}" may read: registered, asked, and redeemed its code by PKCE`);
  const { tools } = await application.client.listTools();
  console.log(`tools          ${tools.map(({ name }) => name).join(', ')}`);
  const ask = asker(application);
  const { today } = await ask<{ today: string }>('whoami', {});
  const month = addMonths(santiagoPeriod(Date.parse(`${today}T12:00:00Z`)), -1);
  const asked = await fiveQuestions(ask, { tax, bankone }, ledgerOf, month);
  for (const { question, answer, ledger } of asked) {
    const isEqual = Big(answer).eq(ledger);
    console.log(`${question}\n               agent ${answer} ${isEqual ? '=' : '≠'} ${ledger} ledger`);
  }
  await application.client.close();
  return [
    ...asked
      .filter(({ answer, ledger }) => !Big(answer).eq(ledger))
      .map(({ question }) => `differs        ${question}`),
    ...[taxEnd, bankEnd].filter((status) => status !== 'succeeded').map((status) => `a run ended ${status}`),
  ];
};
