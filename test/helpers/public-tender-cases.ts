/** Answers of the procurement portal that public captures show, with the values that must be served. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Row } from '#shared/scopes/scope.ts';
import type { Lie } from '#test/fakes/liar.ts';

export interface PublicCase {
  id: string;
  title: string;
  codigo: string;
  /** The tender of the API; null if the case is only about questions. */
  detail: Row | null;
  /** The forum's answer; null if the case is only about the tender. */
  questions: Row[] | null;
  expected: { status: string; notices: string[]; tender: Row; questions: Row[] | null };
}

const FOLDER = new URL('../fixtures/public-cases/', import.meta.url);
export const TENDER_CASES: readonly PublicCase[] = readdirSync(FOLDER)
  .filter((name) => /^P\d+\.json$/.test(name))
  .map((name) => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')));

/** Gives the answers of the case in front of the simulated portal. */
export const answering =
  ({ codigo, detail, questions }: PublicCase): Lie =>
  ({ url }) => {
    const asked = new URL(url, 'http://portal').searchParams;
    if (detail && asked.get('codigo') === codigo)
      return JSON.stringify({ Cantidad: 1, FechaCreacion: '2026-11-20T12:00:00', Version: 'v1', Listado: [detail] });
    return questions && asked.get('RFBCode') === codigo ? JSON.stringify(questions) : undefined;
  };
