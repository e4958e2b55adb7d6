/** The readings of the table: for each part a login, a unit, and another unit whose answers are given instead. */
import type { Unit } from './table.ts';

export interface Part {
  /** Unique; the lists use it as the key of the part's cells. */
  name: string;
  scope: string;
  /** Behaviour of the credential. */
  login: string;
  unit: Unit;
  other?: Unit;
  /** Kinds of answers that are changed; absent: all. */
  kinds?: RegExp;
  /** Whether the files of the rows are also fetched. */
  hasFiles?: boolean;
  /** For large parts: one in this many cells is judged. */
  every?: number;
  /** A kind of answer that another part judges whole: here one in `every` cells is judged. */
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

/** The first tender of the credential, and the second one as the other unit. */
const tender = (scope: string, login = 'works', name = scope): Part => ({
  name,
  scope,
  login,
  unit: { period: null, tender: 'first' },
  other: { period: null, tender: 'second' },
});

/** Answers to pressed buttons, which are files; links to other pages are left out. */
const files = (scope: string): Part => ({
  ...tender(scope, 'works', `${scope} files`),
  kinds:
    /^POST (?:\w+\/(?:ViewAttachment|VerAntecedentes|ViewBidAttachment)\.aspx|RFB\/DetailsAcquisition\.aspx page)$/,
  hasFiles: true,
});

/** The page of the tender is judged whole in the part that reads its values. */
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
