/** A commit of DynamoDB of which only one item is visible yet. */
import { DynamoDBDocumentClient, PutCommand, TransactGetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';

/**
 * A commit becomes visible item by item to reads that are no transactions, and such a read meets a conflict (AWS's
 * documents). The next commit with a note shows that first; `between` runs, and the commit ends at the first conflict.
 */
export const showNoteFirst = (between: () => Promise<unknown>): { conflicts: number } => {
  const { prototype } = DynamoDBDocumentClient;
  const send = prototype.send as (this: unknown, command: unknown) => Promise<unknown>;
  const seen = { conflicts: 0 };
  const isNote = ({ Put }: { Put?: { Item?: Record<string, unknown> | undefined } | undefined }): boolean =>
    String(Put?.Item?.pk).endsWith('#LISTED');
  Object.assign(prototype, {
    send: async function (this: unknown, command: unknown): Promise<unknown> {
      if (!(command instanceof TransactWriteCommand)) return send.call(this, command);
      const { TransactItems: items = [], ...input } = command.input;
      const [note, rest] = [items.find(isNote), items.filter((item) => !isNote(item))];
      if (note === undefined) return send.call(this, command);
      await send.call(this, new PutCommand(note.Put!));
      let ended: Promise<unknown> | undefined;
      const end = () => (ended ??= send.call(this, new TransactWriteCommand({ ...input, TransactItems: rest })));
      const keyOf = ({ Put, Update, Delete }: (typeof items)[number]) => Put?.Item ?? Update?.Key ?? Delete?.Key;
      const written = new Set(rest.map((item) => `${keyOf(item)?.pk} ${keyOf(item)?.sk}`));
      Object.assign(prototype, {
        send: async function (this: unknown, other: unknown): Promise<unknown> {
          const isOpen = other instanceof TransactGetCommand && ended === undefined;
          const gets = isOpen ? (other.input.TransactItems ?? []) : [];
          if (!gets.some(({ Get }) => written.has(`${Get?.Key?.pk} ${Get?.Key?.sk}`))) return send.call(this, other);
          seen.conflicts++;
          await end();
          const reasons = gets.map(() => ({ Code: 'TransactionConflict' }));
          throw Object.assign(new Error(), { name: 'TransactionCanceledException', CancellationReasons: reasons });
        },
      });
      await between();
      Object.assign(prototype, { send });
      return end();
    },
  });
  return seen;
};
