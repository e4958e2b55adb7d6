import { defineList } from '#shared/http/lists/synchronized.ts';
import { banktwoMovements } from '#shared/scopes/banktwo-movements.ts';

export const contract = defineList(banktwoMovements, {
  id: 'list-banktwo-movements',
  tag: 'Bank two',
  summary: 'List account movements of bank two',
  description:
    'Movements with their counterparty where the bank tells it, newest day first within a month, newest month first. ' +
    'Charges are negative and `issued`, credits positive and `received`.',
});
