import { defineList } from '#shared/http/lists/synchronized.ts';
import { bankthreeMovements } from '#shared/scopes/bankthree-movements.ts';

export const contract = defineList(bankthreeMovements, {
  id: 'list-bankthree-movements',
  tag: 'Bank three',
  summary: 'List account movements of bank three',
  description:
    'The full normalized statement, newest day first within a month, newest month first. Charges are negative and ' +
    '`issued`, credits positive and `received`. Rows of the open month are provisional until the bank closes it.',
});
