/** Tokens of links and view states: random for each load, with `+`, `/` and `=` in them, valid for a while (§3.1). */
import { randomBytes } from 'node:crypto';

/** What a token stands for. */
export interface Target {
  kind: 'ficha' | 'anexo' | 'antecedente' | 'apertura' | 'encabezado' | 'cuadro' | 'oferta';
  codigo: string;
  item?: number;
  offer?: number;
  boton?: 'administrativo' | 'tecnico' | 'economico';
}

export interface ViewState extends Target {
  page: number;
  /** The cookie it was given to. */
  visitor: string;
}

export interface Tokens {
  link(target: Target): string;
  find(token: string): Target | undefined;
  viewState(state: ViewState): string;
  findState(viewState: string): ViewState | undefined;
  /** Every link and view state is over. */
  expire(): void;
}

const KEPT_MAX = 20_000;

const createShelf = <Held>(now: () => number, holdMs: () => number) => {
  const held = new Map<string, { what: Held; untilMs: number }>();
  return {
    put: (name: string, what: Held): string => {
      if (held.size >= KEPT_MAX) held.delete(held.keys().next().value!);
      held.set(name, { what, untilMs: now() + holdMs() });
      return name;
    },
    get: (name: string): Held | undefined => {
      const found = held.get(name);
      return found && found.untilMs > now() ? found.what : undefined;
    },
    clear: () => held.clear(),
  };
};

export const createTokens = (now: () => number, holdMs: () => number): Tokens => {
  const links = createShelf<Target>(now, holdMs);
  const states = createShelf<ViewState>(now, holdMs);
  return {
    link: (target) => links.put(`${randomBytes(18).toString('base64')}+/${randomBytes(1).toString('base64')}`, target),
    find: links.get,
    viewState: (state) => states.put(`/wEP${randomBytes(30).toString('base64')}`, state),
    findState: states.get,
    expire: () => {
      links.clear();
      states.clear();
    },
  };
};
