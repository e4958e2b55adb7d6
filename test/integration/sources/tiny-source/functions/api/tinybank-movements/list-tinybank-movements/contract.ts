import { defineList } from '#shared/http/lists/synchronized.ts';
import { tinybankMovements } from '../../../../shared/scopes/tinybank-movements.ts';

export const contract = defineList(tinybankMovements, {
  id: 'list-tinybank-movements',
  tag: 'Tiny bank',
  summary: 'List account movements of the tiny bank',
  description: 'Newest day first.',
});
