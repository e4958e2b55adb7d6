const NAMES = ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sep', 'oct', 'nov', 'dic'];

/** `2026-11` as the Spanish page writes it: `nov 2026`. */
export const spanishMonth = (period: string): string => `${NAMES[Number(period.slice(5)) - 1]} ${period.slice(0, 4)}`;
