/** Words of the portal as keys. */

/** A key without accents: what is not in the table of states stays as it is (§2.5). */
export const stateKey = (shown: string): string =>
  shown.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();

/** Type by the code's last part: `1509-5-L114` is `L1` of 2014 (§2.5). */
export const typeOfCode = (codigo: string): string | null => /-([A-Z][A-Z0-9])\d{2}$/.exec(codigo)?.[1] ?? null;
