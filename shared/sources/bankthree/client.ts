/** The three kinds of data that a session can read: the page of accounts and months, statement files, balances. */
import type { HttpCall, HttpResponse } from '../http/client.ts';
import { checkedAnswer } from '../parsing/results.ts';
import type { PullContext, SourceIo, UnparsedAnswer } from '../source.ts';
import { hasSelects } from './accounts-page.ts';
import { FORM_TYPE, formBody } from './form.ts';
import { PAGE_BYTES_MAX, STATEMENT_BYTES_MAX } from './limits.ts';
import { isFile, nothingThere, refusal } from './refusals.ts';
import type { OpenSession } from './session.ts';
import { ACCOUNTS_URL, BALANCES_FILE, BALANCES_URL, STATEMENT_FILE, STATEMENT_URL } from './wire.ts';

export interface StatementRequest {
  /** Account as the portal writes it. */
  account: string;
  /** Month in the form `202502`, or `ACTUAL`. */
  fecha: string;
}

export interface PortalClient {
  accounts(): Promise<UnparsedAnswer>;
  /** Returns the file, or a page that says that there is no data (see `nothingThere`). */
  statement(asked: StatementRequest): Promise<UnparsedAnswer>;
  balances(): Promise<UnparsedAnswer>;
}

/** Dependencies of a pull. */
export interface PortalPull extends PullContext {
  open: OpenSession;
  client: PortalClient;
}

export const createPortalClient = ({ http }: OpenSession, io: SourceIo): PortalClient => {
  /** If an answer is unreadable, the answer is attached to the error, so that it is stored. */
  const fetched = async (
    call: HttpCall,
    request: UnparsedAnswer['request'],
    isWanted: (answer: HttpResponse) => boolean,
  ): Promise<UnparsedAnswer> => {
    const answer = await http.call(call);
    return checkedAnswer(request, answer, () => {
      if (!isWanted(answer)) throw refusal(call.what, answer);
    });
  };

  return {
    accounts: () =>
      fetched(
        { what: 'accounts', url: ACCOUNTS_URL, bodyBytesMax: PAGE_BYTES_MAX },
        { page: 'accounts' },
        ({ status, body }) => status === 200 && hasSelects(body),
      ),
    statement: ({ account, fecha }) =>
      fetched(
        {
          what: 'statement',
          url: STATEMENT_URL,
          method: 'POST',
          headers: { 'content-type': FORM_TYPE },
          body: formBody({ cuenta: account, fecha }),
          timeoutMs: io.settings.downloadTimeoutMs,
          bodyBytesMax: STATEMENT_BYTES_MAX,
        },
        { page: 'statement', account, fecha },
        (answer) =>
          isFile(answer, STATEMENT_FILE) || (answer.status === 200 && nothingThere(answer.body) !== undefined),
      ),
    balances: () =>
      fetched({ what: 'balances', url: BALANCES_URL, bodyBytesMax: PAGE_BYTES_MAX }, { page: 'balances' }, (answer) =>
        isFile(answer, BALANCES_FILE),
      ),
  };
};
