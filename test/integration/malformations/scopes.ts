/** What is read for the table: for each part a login, a unit, and the unit whose answers are given in its place. */
import type { Unit } from './table.ts';

export interface Part {
  /** Unique: names its cells in the lists. */
  name: string;
  scope: string;
  /** Behaviour of the credential. */
  login: string;
  unit: Unit;
  other?: Unit;
  /** Kinds of answers that are changed; absent: all. */
  kinds?: RegExp;
  /** The files of the rows are fetched, too. */
  hasFiles?: boolean;
  /** Large parts: one cell of so many is judged. */
  every?: number;
  /** A kind of answer that another part judges whole: one cell of so many is judged here. */
  sampled?: { kind: RegExp; every: number };
}

const month = (period: string): Unit => ({ period });
const NOW: Unit = { period: null };

const monthly = (scope: string, login = 'works', period = '2026-10', name = scope): Part => ({
  name,
  scope,
  login,
  unit: month(period),
  other: month('2026-09'),
});

const now = (scope: string): Part => ({ name: scope, scope, login: 'works', unit: NOW });

/** The first tender of the credential, and the second in its place. */
const tender = (scope: string, login = 'works', name = scope): Part => ({
  name,
  scope,
  login,
  unit: { period: null, tender: 'first' },
  other: { period: null, tender: 'second' },
});

/** What is pressed, not turned: answers are files. */
const files = (scope: string): Part => ({
  ...tender(scope, 'works', `${scope} files`),
  kinds:
    /^POST (?:\w+\/(?:ViewAttachment|VerAntecedentes|ViewBidAttachment)\.aspx|RFB\/DetailsAcquisition\.aspx page)$/,
  hasFiles: true,
});

/** The tender's page is judged whole where its values are read. */
const FICHA = { kind: /^GET RFB\/DetailsAcquisition/, every: 4 };

export const PARTS: readonly Part[] = [
  { ...monthly('tax.rcv'), every: 20 },
  {
    ...monthly('tax.rcv', 'latin1_files', '2026-10', 'tax.rcv by file'),
    kinds: /getCtrlAsync|obtenerArchivoBLOB/,
    every: 10,
  },
  { ...monthly('tax.boletas'), every: 4 },
  { ...monthly('tax.guias'), every: 4 },
  monthly('bankone.transfers'),
  now('bankone.balances'),
  monthly('bankone.movements', 'works', '2026-11', 'bankone.movements open'),
  monthly('bankone.movements', 'works', '2026-10', 'bankone.movements closed'),
  { ...monthly('bankone.nominas'), every: 4 },
  monthly('banktwo.movements'),
  now('banktwo.balances'),
  monthly('bankthree.movements', 'works', '2026-11', 'bankthree.movements open'),
  monthly('bankthree.movements', 'works', '2026-10', 'bankthree.movements closed'),
  now('bankthree.balances'),
  tender('procurement.licitaciones'),
  tender('procurement.licitaciones', 'private_tender', 'procurement.licitaciones by ficha'),
  { ...tender('procurement.documentos'), sampled: FICHA, every: 4 },
  tender('procurement.preguntas'),
  { ...tender('procurement.ofertas'), sampled: FICHA, every: 4 },
  files('procurement.documentos'),
  { ...files('procurement.ofertas'), every: 4 },
];
