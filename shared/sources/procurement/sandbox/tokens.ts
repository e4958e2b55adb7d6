/** Tokens of links and view states: random for each load, with `+`, `/` and `=` in them, valid for a while (§3.1). */
import { createHmac, randomBytes } from 'node:crypto';

/** What a token stands for. */
export interface LinkTarget {
  kind: 'ficha' | 'anexo' | 'antecedente' | 'apertura' | 'encabezado' | 'cuadro' | 'oferta';
  codigo: string;
  item?: number;
  offer?: number;
  boton?: 'administrativo' | 'tecnico' | 'economico';
}

export interface ViewState extends LinkTarget {
  page: number;
  /** The cookie it was given to. */
  visitor: string;
}

export interface LinkTokens {
  link(target: LinkTarget): string;
  find(token: string): LinkTarget | undefined;
  viewState(state: ViewState): string;
  findState(viewState: string): ViewState | undefined;
  /** Every link and view state is over. */
  expire(): void;
}

/**
 * A token is what it stands for, signed: whoever serves the next call needs no memory of the page it was on. The key is
 * no secret, because nothing behind it is one; the signature tells a token that was bent on the way.
 */
const createSeal = <Held extends LinkTarget>(key: string, now: () => number, holdMs: () => number) => {
  let era = 0;
  const signed = (body: Buffer): Buffer =>
    Buffer.concat([createHmac('sha256', key).update(body).digest().subarray(0, MAC_BYTES), body]);
  return {
    put: (what: Held): string => {
      const body = JSON.stringify([randomBytes(NONCE_BYTES).toString('base64'), era, now() + holdMs(), what]);
      return signed(Buffer.from(body)).toString('base64');
    },
    get: (token: string): Held | undefined => {
      const bytes = Buffer.from(token, 'base64');
      const body = bytes.subarray(MAC_BYTES);
      if (body.length === 0 || !signed(body).equals(bytes)) return undefined;
      const [, madeIn, untilMs, what] = JSON.parse(body.toString()) as [string, number, number, Held];
      return madeIn === era && untilMs > now() ? what : undefined;
    },
    end: () => void era++,
  };
};

const MAC_BYTES = 9;
const NONCE_BYTES = 9;
/** What stands behind the token proper, so that every one has all three characters which must not be encoded again. */
const LINK_ENDS = /\+\/[\w+/]{2}==$/;
const linkEnd = (): string => `+/${randomBytes(1).toString('base64')}`;
const VIEW_STATE_BEGINS = '/wEP';

export const createTokens = (seed: string, now: () => number, holdMs: () => number): LinkTokens => {
  const links = createSeal<LinkTarget>(`${seed}|link`, now, holdMs);
  const states = createSeal<ViewState>(`${seed}|view`, now, holdMs);
  return {
    link: (target) => links.put(target) + linkEnd(),
    find: (token) => (LINK_ENDS.test(token) ? links.get(token.replace(LINK_ENDS, '')) : undefined),
    viewState: (state) => VIEW_STATE_BEGINS + states.put(state),
    findState: (text) =>
      text.startsWith(VIEW_STATE_BEGINS) ? states.get(text.slice(VIEW_STATE_BEGINS.length)) : undefined,
    expire: () => {
      links.end();
      states.end();
    },
  };
};
