/**
 * Answers with one changed figure: each difference is reported with its group, the institution's figure and the sum of
 * the rows, and the unchanged answers give no report. A bank's statement that does not add up is refused.
 */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { differencesIn } from '#shared/rows/item/totals.rules.ts';
import { type JsonObject, type RawAnswer, SourceError } from '#shared/sources/source.ts';
import type { TaxScope } from '#shared/sources/tax/sandbox/credentials.ts';
import { source } from '#shared/sources/tax/source.ts';
import { runs } from '../../helpers/effort.ts';
import { tieOutOf } from '../../helpers/tie-out.ts';
import { createAsk } from './ask.ts';
import { inSession, io, LAST_MONTH, labelled, requestOf, TAX_SCOPES } from './tax-stage.ts';
import { SCOPES } from './tax-tally.ts';

const entry = labelled('works: small company');
type Raw = Record<string, unknown>;

/** A number in an answer that is a figure of the institution, and the total that it belongs to. */
interface Told {
  answerKey: string;
  /** Location of the figure: the object, and its key. */
  holder(body: Raw): Raw;
  key: string;
  group: Record<string, string>;
  figure: string;
}

const REGISTER = {
  rsmnMntNeto: 'net_amount',
  rsmnMntIVA: 'vat_amount',
  rsmnMntExe: 'exempt_amount',
  rsmnMntTotal: 'total_amount',
};
const GUIDES = { mntNeto: 'net_amount', mntIVA: 'vat_amount', mntExento: 'exempt_amount', mntTotal: 'total_amount' };
const DAYS = {
  ...{ totalDocumentos: 'total_documentos', montoNeto: 'net_amount', montoIva: 'vat_amount' },
  ...{ montoExento: 'exempt_amount', montoTotal: 'total_amount' },
};

const parseBody = (answer: RawAnswer): Raw => JSON.parse(Buffer.from(answer.body).toString('utf8')) as Raw;
const rowsAt = (body: Raw, ...path: string[]): Raw[] =>
  path.reduce<unknown>((at, key) => (at as Raw | null)?.[key], body) as Raw[];

/** Every amount of `list`, by the names of its figures. */
const figuresOf = (
  { key: answerKey }: RawAnswer,
  list: (body: Raw) => Raw[],
  body: Raw,
  { names, group }: { names: Record<string, string>; group(row: Raw): Record<string, string> | null },
): Told[] =>
  list(body).flatMap((row, at) => {
    const of = group(row);
    if (of === null) return [];
    return Object.entries(names)
      .filter(([key]) => typeof row[key] === 'number')
      .map(([key, figure]) => ({ answerKey, holder: (changed) => list(changed)[at]!, key, group: of, figure }));
  });

const ofRegister = (answer: RawAnswer): Told[] => {
  const { operacion, estadoContab } = answer.request as Record<string, string>;
  const group = (row: Raw) =>
    row.rsmnLink === true && Number(row.rsmnTotDoc) > 0
      ? {
          direction: operacion === 'COMPRA' ? 'received' : 'issued',
          estado: operacion === 'COMPRA' ? estadoContab!.toLowerCase() : 'registro',
          document_type: String(row.rsmnTipoDocInteger),
        }
      : null;
  return figuresOf(answer, (body) => rowsAt(body, 'data') ?? [], parseBody(answer), { names: REGISTER, group });
};

const ofGuides = (answer: RawAnswer): Told[] => {
  const direction = answer.request.operacion === '1' ? 'issued' : 'received';
  const group = ({ tipoDoc }: Raw) => (String(tipoDoc) === '52' ? { direction, document_type: '52' } : null);
  return figuresOf(answer, (body) => rowsAt(body, 'data', 'resumenDte'), parseBody(answer), { names: GUIDES, group });
};

const ofReceipts = (answer: RawAnswer): Told[] => {
  if (answer.request.method === 'getResumen') {
    const group = ({ rsmnTipoDocInteger: type }: Raw) =>
      ['39', '41'].includes(String(type)) ? { document_type: String(type), told_by: 'register' } : null;
    const names = { rsmnTotDoc: 'total_documentos', ...REGISTER };
    return figuresOf(answer, (body) => rowsAt(body, 'data'), parseBody(answer), { names, group });
  }
  const group = () => ({ document_type: String(answer.request.tipoDocumento), told_by: 'days' });
  return figuresOf(answer, (body) => [body.data as Raw], parseBody(answer), { names: DAYS, group });
};

const isSummary = ({ request }: RawAnswer): boolean => request.method === 'getResumen';
const TOLD_IN: Record<TaxScope, (answers: RawAnswer[]) => Told[]> = {
  rcv: (answers) => answers.filter(isSummary).flatMap(ofRegister),
  guias: (answers) => answers.filter(isSummary).flatMap(ofGuides),
  boletas: (answers) => answers.flatMap(ofReceipts),
};

const kept = new Map<TaxScope, RawAnswer[]>();
beforeAll(async () => {
  await inSession(entry, async (session) => {
    for (const scope of TAX_SCOPES) {
      const asked = createAsk();
      await source.pull(requestOf(entry, LAST_MONTH, scope), { session, ask: asked.ask, io: io(), progress: () => {} });
      kept.set(scope, [...asked.kept.values()]);
    }
  });
});

const tieOut = (scope: TaxScope, answers: RawAnswer[]) =>
  tieOutOf(SCOPES[scope], [
    ...source.parse({ scope, period: LAST_MONTH, credentials: entry.credentials as JsonObject }, answers),
  ]);

const figureIn = (answers: RawAnswer[], { answerKey, holder, key }: Told): number =>
  holder(parseBody(answers.find((answer) => answer.key === answerKey)!))[key] as number;

const withFigure = (answers: RawAnswer[], { answerKey, holder, key }: Told, value: number): RawAnswer[] =>
  answers.map((answer) => {
    if (answer.key !== answerKey) return answer;
    const body = parseBody(answer);
    holder(body)[key] = value;
    return { ...answer, body: Buffer.from(JSON.stringify(body)) };
  });

describe.each(TAX_SCOPES)('%s', (scope) => {
  test('unchanged answers give no report', () => {
    const { verdict, groups } = tieOut(scope, kept.get(scope)!);
    expect(verdict).toBe('equal');
    expect(groups.filter((group) => group.verdict === 'differs')).toEqual([]);
  });

  test('a changed figure is reported, and no other one', { timeout: 60_000 }, () => {
    const answers = kept.get(scope)!;
    const told = TOLD_IN[scope](answers);
    expect(told.length).toBeGreaterThan(3);
    const seen = new Set<string>();
    fc.assert(
      fc.property(
        fc.nat(),
        fc.integer({ min: -1_000_000, max: 1_000_000 }).filter((by) => by !== 0),
        (pick, by) => {
          const figure = told[pick % told.length]!;
          const right = figureIn(answers, figure);
          const value = Math.abs(right + by) === right ? right + 1 : Math.abs(right + by);
          seen.add(figure.figure);
          const changed = withFigure(answers, figure, value);
          // A type may be split into sections, which count as one.
          const all = told
            .filter((other) => isDeepStrictEqual([other.group, other.figure], [figure.group, figure.figure]))
            .reduce((sum, other) => sum + figureIn(answers, other), 0);
          const refused = all === 0 ? refusalOf(() => tieOut(scope, changed)) : undefined;
          // The rows contain no value for it: the difference is reported, or the answer cannot be true.
          if (refused !== undefined) {
            expect(refused).toMatch(/the rows hold no \w+, and the totals do$/);
            return;
          }
          expect(differencesIn(tieOut(scope, changed))).toEqual([
            {
              ...{ group: figure.group, figure: figure.figure },
              ...{ institution: String(all - right + value), ours: String(all) },
            },
          ]);
        },
      ),
      { numRuns: runs(1_000) },
    );
    expect(seen.size).toBeGreaterThan(2);
  });
});

const refusalOf = (work: () => unknown): string | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    expect(error.code).toBe('source.unexpected_response');
    return error.message;
  }
};
