/** A client that stores a copy of an organization's tenders: it reads a tender again when a change names it. */
import { procurementLicitaciones } from '#shared/scopes/procurement-licitaciones.ts';
import { keys } from '#shared/table/keys.ts';
import { findTender } from '#shared/tenders/read-tender.store.ts';
import { readTenderChanges } from '#shared/tenders/read-tender-changes.store.ts';
import type { World } from './world.ts';

const LIMIT = 2;

export class TenderMirror {
  readonly violations: string[] = [];
  private readonly world: Pick<World, 'table' | 'organizationId'>;
  /** Code → the tender as served. */
  private readonly copy = new Map<string, string>();
  private cursor: string | null = null;
  private sequence = 0;
  private deleted = 0;

  constructor(world: Pick<World, 'table' | 'organizationId'>) {
    this.world = world;
  }

  private async served(codigo: string): Promise<string | undefined> {
    const found = await findTender(this.world.organizationId, codigo, procurementLicitaciones);
    if (!found) return undefined;
    const { observed_at: _, ...row } = found;
    return JSON.stringify(row);
  }

  private async readAgain(codigo: string): Promise<void> {
    const row = await this.served(codigo);
    if (row === undefined) this.copy.delete(codigo);
    else this.copy.set(codigo, row);
  }

  /** Returns the number of changes received. */
  async catchUp(): Promise<number> {
    const { organizationId } = this.world;
    for (let told = 0; ; ) {
      const page = await readTenderChanges({ organizationId, cursor: this.cursor, limit: LIMIT });
      for (const { codigo, sequence } of page.changes) {
        told++;
        if (sequence <= this.sequence) this.violations.push(`tenders: change ${sequence} after ${this.sequence}`);
        this.sequence = sequence;
        if (codigo === null) this.deleted++;
        for (const each of codigo === null ? [...this.copy.keys()] : [codigo]) await this.readAgain(each);
      }
      this.cursor = page.nextCursor;
      if (!page.hasMore) return told;
    }
  }

  /** Every served tender is in the copy as it is served, and the copy has no other tender. */
  async check(deletedMax: number): Promise<string[]> {
    await this.catchUp();
    const { table, organizationId } = this.world;
    const prefix = keys.tender(organizationId, '');
    const read = [...table.items()].filter(({ pk, sk }) => pk.startsWith(prefix) && sk.startsWith('READ#'));
    const known = new Set([...read.map(({ pk }) => pk.slice(prefix.length)), ...this.copy.keys()]);
    const faults = [...this.violations];
    for (const codigo of known) {
      const [served, copied] = [await this.served(codigo), this.copy.get(codigo)];
      if (served !== copied) faults.push(`tenders: ${codigo} is copied as ${copied} and served as ${served}`);
    }
    if (this.deleted > deletedMax) faults.push(`tenders: ${this.deleted} deleted connections are reported`);
    return faults;
  }
}
