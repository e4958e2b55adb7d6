/**
 * DynamoDB as far as we use it, in memory and without waiting: the document client's commands of shared/table/table.ts
 * over one table with the index `due`. `test/integration/faults/simulated-table.test.ts` replays random commands here
 * and against dynoxide and compares every answer and refusal.
 */

import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { conditionalCheckFailed, transactionCanceled, validation } from './errors.ts';
import { isMet, updateClauses } from './expressions.ts';
import { rangeOf } from './key-ranges.ts';
import type { Projection, QueryInput, TableKey } from './query-input.ts';
import { refuseEmptyKey, refuseLargeTransaction, refuseUnused, requireStorable } from './request-limits.ts';
import { added, ownParent, taken } from './update-values.ts';
import { compare, copy, type Item } from './values.ts';

interface Conditional {
  ConditionExpression?: string | undefined;
  ExpressionAttributeNames?: Record<string, string> | undefined;
  ExpressionAttributeValues?: Record<string, unknown> | undefined;
}

interface UpdateInput extends Conditional {
  Key: TableKey;
  UpdateExpression: string;
}

type Write =
  | { Put: Conditional & { Item: Item } }
  | { Update: UpdateInput }
  | { Delete: Conditional & { Key: TableKey } }
  | { ConditionCheck: Conditional & { Key: TableKey } };

const TRANSACTION_ITEMS_MAX = 100;
const BATCH_WRITES_MAX = 25;
const BATCH_GETS_MAX = 100;

const pick = (item: Item, projection: string | undefined, names: Record<string, string>): Item => {
  if (projection === undefined) return copy(item);
  const wanted = projection.split(',').map((name) => names[name.trim()] ?? name.trim());
  return Object.fromEntries(wanted.flatMap((name) => (name in item ? [[name, copy(item[name])]] : []))) as Item;
};

const refuseDuplicates = (keys: readonly TableKey[]): void => {
  if (new Set(keys.map(({ pk, sk }) => JSON.stringify([pk, sk]))).size !== keys.length)
    throw validation('Provided list of item keys contains duplicates');
};

/** `before` is undefined for a new item, `after` for a deleted one. */
export type Stored = (before: Item | undefined, after: Item | undefined) => void;

export class SimulatedTable {
  private readonly partitions = new Map<string, Map<string, Item>>();
  /** Items with a due time, by key: the content of the sparse index. */
  private readonly due = new Map<string, Item>();
  /** Most items on a page of a query. Low values make readers page. */
  pageItems = Number.POSITIVE_INFINITY;
  /** Called at every write. */
  onStored: Stored | undefined;
  /** Called at the end of each command. */
  onSent: (() => void) | undefined;
  /** Decides whether an eventually consistent read gets its answer from a replica that is one write behind. */
  isStale: (() => boolean) | undefined;
  /** Index items before their last write, by key. Other items are always read consistently. */
  private readonly former = new Map<string, Item>();

  /** Adds a watcher, which is called after the watchers that joined earlier. */
  join(watcher: { onStored: Stored; onSent: () => void }): void {
    const { onStored, onSent } = this;
    this.onStored = (before, after) => {
      onStored?.(before, after);
      watcher.onStored(before, after);
    };
    this.onSent = () => {
      onSent?.();
      watcher.onSent();
    };
  }

  *items(): Generator<Item> {
    for (const partition of this.partitions.values()) yield* partition.values();
  }

  dueItems(): Item[] {
    return [...this.due.values()];
  }

  /** The item as a replica returns it, which may be one write behind. */
  private findAnywhere({ pk, sk }: TableKey): Item | undefined {
    const former = this.former.get(`${pk}\n${sk}`);
    return former && this.isStale?.() ? former : this.find({ pk, sk });
  }

  find({ pk, sk }: TableKey): Item | undefined {
    refuseEmptyKey({ pk, sk });
    return this.partitions.get(pk)?.get(sk);
  }

  send(command: unknown): unknown {
    const answer = this.answerTo(command);
    this.onSent?.();
    return answer;
  }

  private answerTo(command: unknown): unknown {
    if (command instanceof GetCommand) return { Item: copy(this.find(command.input.Key as TableKey)) };
    if (command instanceof TransactGetCommand) return this.getTogether(command.input.TransactItems as never);
    if (command instanceof QueryCommand) return this.query(command.input as never);
    if (command instanceof BatchGetCommand) return this.batchGet(command.input as never);
    if (command instanceof BatchWriteCommand) return this.batchWrite(command.input as never);
    if (command instanceof TransactWriteCommand) return this.transact(command.input.TransactItems as never);
    if (command instanceof PutCommand) return this.one({ Put: command.input as never });
    if (command instanceof DeleteCommand) return this.one({ Delete: command.input as never });
    if (command instanceof UpdateCommand) {
      this.one({ Update: command.input as never });
      if (command.input.ReturnValues !== 'ALL_NEW') return {};
      return { Attributes: copy(this.find(command.input.Key as TableKey)) };
    }
    throw new Error(`the simulated table has no ${(command as object).constructor.name}`);
  }

  private getTogether(gets: readonly { Get: { Key: TableKey } }[]): object {
    return { Responses: gets.map(({ Get }) => ({ Item: copy(this.find(Get.Key)) })) };
  }

  private one(write: Write): object {
    refuseUnused(Object.values(write)[0]);
    if (!this.isAllowed(write)) throw conditionalCheckFailed();
    this.storeAll(this.plan([write]));
    return {};
  }

  private keyOf(write: Write): TableKey {
    if ('Put' in write) return write.Put.Item;
    if ('Update' in write) return write.Update.Key;
    return 'Delete' in write ? write.Delete.Key : write.ConditionCheck.Key;
  }

  private isAllowed(write: Write): boolean {
    const conditional = Object.values(write)[0] as Conditional;
    return isMet(conditional.ConditionExpression, this.find(this.keyOf(write)), conditional);
  }

  /** Returns the item that the write stores; undefined for a deletion and a check. */
  private next(write: Write): Item | undefined {
    if ('Put' in write) return requireStorable(copy(write.Put.Item));
    return 'Update' in write ? requireStorable(this.updated(write.Update)) : undefined;
  }

  /** Judges every write before the first one is stored. */
  private plan(writes: readonly Write[]): { write: Write; next: Item | undefined }[] {
    return writes.map((write) => ({ write, next: this.next(write) }));
  }

  private storeAll(planned: ReturnType<SimulatedTable['plan']>): void {
    for (const { write, next } of planned) {
      if (next) this.store(next);
      else if ('Delete' in write) this.erase(write.Delete.Key);
    }
  }

  private store(item: Item): void {
    let partition = this.partitions.get(item.pk);
    if (!partition) {
      partition = new Map();
      this.partitions.set(item.pk, partition);
    }
    const before = partition.get(item.sk);
    this.onStored?.(before, item);
    partition.set(item.sk, item);
    const id = `${item.pk}\n${item.sk}`;
    if (before && item.sk.startsWith('PERIOD#')) this.former.set(id, before);
    if (item.due_pk !== undefined && item.due_sk !== undefined) this.due.set(id, item);
    else this.due.delete(id);
  }

  /** Deletes as TTL does: without a condition and without a command. */
  remove(key: TableKey): void {
    this.erase(key);
  }

  private erase({ pk, sk }: TableKey): void {
    const before = this.find({ pk, sk });
    if (before) this.onStored?.(before, undefined);
    this.partitions.get(pk)?.delete(sk);
    this.due.delete(`${pk}\n${sk}`);
  }

  /**
   * Reads every path from the item as it was before the update. Untouched parts are shared, because no stored item is
   * ever changed.
   */
  private updated({ Key, UpdateExpression, ...given }: UpdateInput): Item {
    const item = { ...(this.find(Key) ?? (Key as Item)) };
    for (const { verb, path, value } of updateClauses(UpdateExpression, given.ExpressionAttributeNames ?? {})) {
      const name = path.at(-1)!;
      const parent = ownParent(item, path);
      if (parent === undefined) throw validation('The document path provided in the update expression is invalid');
      const given_ = value === undefined ? undefined : copy(given.ExpressionAttributeValues?.[value]);
      if (value !== undefined && given_ === undefined) throw validation(`no value ${value}`);
      if (verb === 'SET') parent[name] = given_;
      else if (verb === 'REMOVE') delete parent[name];
      else parent[name] = verb === 'ADD' ? added(parent[name], given_) : taken(parent[name], given_);
      if (parent[name] === undefined) delete parent[name];
    }
    return item;
  }

  private transact(writes: readonly Write[]): object {
    if (writes.length === 0 || writes.length > TRANSACTION_ITEMS_MAX) throw validation('too many items');
    const keys = new Set(writes.map((write) => JSON.stringify([this.keyOf(write).pk, this.keyOf(write).sk])));
    if (keys.size !== writes.length)
      throw validation('Transaction request cannot include multiple operations on one item');
    for (const write of writes) refuseUnused(Object.values(write)[0]);
    const codes = writes.map((write) => (this.isAllowed(write) ? 'None' : 'ConditionalCheckFailed'));
    if (codes.some((code) => code !== 'None')) throw transactionCanceled(codes);
    const planned = this.plan(writes);
    refuseLargeTransaction(planned.flatMap(({ next }) => next ?? []));
    this.storeAll(planned);
    return {};
  }

  private batchWrite({ RequestItems }: { RequestItems: Record<string, object[]> }): object {
    const requests = Object.values(RequestItems).flat() as (
      | { PutRequest: { Item: Item } }
      | { DeleteRequest: { Key: TableKey } }
    )[];
    if (requests.length === 0 || requests.length > BATCH_WRITES_MAX) throw validation('1 to 25 requests');
    refuseDuplicates(
      requests.map((request) => ('PutRequest' in request ? request.PutRequest.Item : request.DeleteRequest.Key)),
    );
    const writes = requests.map(
      (request): Write => ('PutRequest' in request ? { Put: request.PutRequest } : { Delete: request.DeleteRequest }),
    );
    this.storeAll(this.plan(writes));
    return {};
  }

  private batchGet({ RequestItems }: { RequestItems: Record<string, { Keys: TableKey[] } & Projection> }): object {
    const [[table, request]] = Object.entries(RequestItems) as [[string, { Keys: TableKey[] } & Projection]];
    if (request.Keys.length > BATCH_GETS_MAX) throw validation('at most 100 keys');
    refuseDuplicates(request.Keys);
    const isAnyReplica = (request as { ConsistentRead?: boolean }).ConsistentRead === false;
    const found = request.Keys.flatMap((key) => (isAnyReplica ? this.findAnywhere(key) : this.find(key)) ?? []);
    return {
      Responses: {
        [table]: found.map((item) => pick(item, request.ProjectionExpression, request.ExpressionAttributeNames ?? {})),
      },
    };
  }

  private query(input: QueryInput): object {
    refuseUnused(input);
    const { partition, hash, sort, isWanted } = rangeOf(input);
    const source = hash === 'pk' ? (this.partitions.get(partition)?.values() ?? []) : this.due.values();
    const found = [...source]
      .filter((item) => item[hash] === partition && isWanted(String(item[sort])))
      .sort((a, b) => compare(a[sort], b[sort]) || compare(a.pk, b.pk) || compare(a.sk, b.sk));
    if (input.ScanIndexForward === false) found.reverse();
    const start = input.ExclusiveStartKey;
    // The item of the last page's end may have moved or gone meanwhile, so its position counts.
    const isAfter = (item: Item): boolean => {
      const order = compare(item[sort], start![sort]) || compare(item.pk, start!.pk) || compare(item.sk, start!.sk);
      return input.ScanIndexForward === false ? order < 0 : order > 0;
    };
    const at = start ? found.findIndex(isAfter) : 0;
    const from = at < 0 ? found.length : at;
    const size = Math.min(input.Limit ?? Number.POSITIVE_INFINITY, this.pageItems);
    const page = found.slice(from, from + size);
    const last = page.at(-1);
    return {
      Items: page.map((item) =>
        hash === 'pk'
          ? pick(item, input.ProjectionExpression, input.ExpressionAttributeNames ?? {})
          : { pk: item.pk, sk: item.sk, due_pk: item.due_pk, due_sk: item.due_sk },
      ),
      ...(last && from + page.length < found.length
        ? { LastEvaluatedKey: { pk: last.pk, sk: last.sk, [hash]: last[hash], [sort]: last[sort] } }
        : {}),
    };
  }
}
