/** Bank codes of the regulator's list (banks.md §1.5). A code that is not in the list stays a code. */
const NAMES: Readonly<Record<string, string>> = {
  '001': 'Banco de Chile',
  '009': 'Banco Internacional',
  '012': 'BancoEstado',
  '014': 'Scotiabank',
  '016': 'BCI',
  '028': 'BICE',
  '037': 'Santander',
  '039': 'Itaú',
  '049': 'Security',
  '051': 'Falabella',
  '053': 'Ripley',
  '055': 'Consorcio',
  '672': 'Coopeuch',
};

export const bankName = (code: string | null): string | null =>
  code === null ? null : (NAMES[code.padStart(3, '0')] ?? code);
