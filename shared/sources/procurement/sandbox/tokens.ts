/** Tokens of links and view states. A token is random for each load, expires, and contains `+`, `/` and `=` (§3.1). */
import { createHmac, randomBytes } from 'node:crypto';

/** The page to which a token leads. */
export interface LinkTarget {
  kind: 'ficha' | 'anexo' | 'antecedente' | 'apertura' | 'encabezado' | 'cuadro' | 'oferta';
  codigo: string;
  item?: number;
  offer?: number;
  boton?: 'administrativo' | 'tecnico' | 'economico';
}

export interface ViewState extends LinkTarget {
  page: number;
  /** Cookie of the visitor to whom the token was given. */
  visitor: string;
}

export interface LinkTokens {
  link(target: LinkTarget): string;
  find(token: string): LinkTarget | undefined;
  viewState(state: ViewState): string;
  findState(viewState: string): ViewState | undefined;
  /** Makes every link and view state invalid. */
  expire(): void;
}

/** Returns the raw token from the address, because a token that a client encoded again must not match. */
export const tokenIn = ({ url }: { url: string }, key: string): string =>
  new RegExp(`[?&]${key}=([^&]*)`).exec(url)?.[1] ?? '';

/**
 * A token is its own signed target, so that the server of the next call needs no state of the previous page. The key is
 * not secret, because the data is public; the signature only detects a changed token.
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
/** Suffix of every token, so that each token contains all three characters that a client must not encode again. */
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
