/**
 * Encodes the totals of a month as bytes. If our amount and the institution's amount are the same text, only the
 * institution's amount is stored.
 */

import { packJson, unpackJson } from '#shared/rows/item/page-index-codec.ts';
import {
  type ComparedGroup,
  compareFigures,
  type PeriodTotals,
  type RowsNotShown,
  type TotalsVerdict,
} from '#shared/rows/item/totals.rules.ts';
import type { TotalGroup } from '#shared/values/source-totals.ts';

type PackedFigure =
  | readonly [figure: string, institution: string | null]
  | readonly [figure: string, institution: string | null, ours: string | null];

interface PackedGroup {
  group: TotalGroup;
  figures: readonly PackedFigure[];
  notShown?: RowsNotShown;
}

interface PackedTotals {
  verdict: TotalsVerdict;
  groups: readonly PackedGroup[];
  leftOut?: number;
}

const packedGroup = ({ group, figures, notShown }: ComparedGroup): PackedGroup => ({
  group,
  figures: figures.map(({ figure, institution, ours }) =>
    institution === ours ? [figure, institution] : [figure, institution, ours],
  ),
  ...(notShown ? { notShown } : {}),
});

const unpackedGroup = ({ group, figures: packed, notShown }: PackedGroup): ComparedGroup => {
  const figures = packed.map(([figure, institution, ours = institution]) => ({ figure, institution, ours }));
  return { group, verdict: compareFigures(figures), figures, ...(notShown ? { notShown } : {}) };
};

export const packTotals = ({ verdict, groups, leftOut }: PeriodTotals): Uint8Array => {
  const packed: PackedTotals = { verdict, groups: groups.map(packedGroup), ...(leftOut > 0 ? { leftOut } : {}) };
  return packJson(packed);
};

export const unpackTotals = (bytes: Uint8Array): PeriodTotals => {
  const { verdict, groups, leftOut = 0 } = unpackJson(bytes) as PackedTotals;
  return { verdict, groups: groups.map(unpackedGroup), leftOut };
};
