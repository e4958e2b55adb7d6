/** The three things the portal gives a session: its page of accounts and months, statement files, balances. */
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
  /** As the portal spells it. */
  account: string;
  /** `202502`, or `ACTUAL`. */
  fecha: string;
}

export interface PortalClient {
  accounts(): Promise<UnparsedAnswer>;
  /** The file, or a page that says that there is nothing: see `nothingThere`. */
  statement(asked: StatementRequest): Promise<UnparsedAnswer>;
  balances(): Promise<UnparsedAnswer>;
}

/** What a pull asks the portal with. */
export interface PortalPull extends PullContext {
  open: OpenSession;
  client: PortalClient;
}

export const createPortalClient = ({ http }: OpenSession, io: SourceIo): PortalClient => {
  /** Whatever is refused as unreadable goes along with the fault, so that it is kept. */
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
