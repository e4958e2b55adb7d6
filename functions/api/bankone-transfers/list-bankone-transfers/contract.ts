import { defineList } from '#shared/http/lists/synchronized.ts';
import { bankoneTransfers } from '#shared/scopes/bankone-transfers.ts';

export const contract = defineList(bankoneTransfers, {
  id: 'list-bankone-transfers',
  tag: 'Bank one',
  summary: 'List transfers of bank one',
  description:
    'Electronic transfers received and issued, newest first. Amounts are positive: `direction` says which way the ' +
    'money went.',
});
