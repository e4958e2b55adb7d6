import { defineList } from '#shared/http/lists/synchronized.ts';
import { bankoneMovements } from '#shared/scopes/bankone-movements.ts';

export const contract = defineList(bankoneMovements, {
  id: 'list-bankone-movements',
  tag: 'Bank one',
  summary: 'List account movements of bank one',
  description:
    'The full normalized statement, newest day first within a month, newest month first. Charges are negative and ' +
    '`issued`, credits positive and `received`. Rows of the open month are provisional until the bank closes it.',
});
