/** A client whose calls of the table wait for turns, so that the table changes between them. It may die at any call. */
import type { Random } from '#test/helpers/random.ts';
import { type Owner, owners } from '../machine/virtual-process.ts';

export class TurnTaker {
  private readonly random: Random;
  private calls: (() => void)[] = [];
  private owner: (Owner & { isOver: boolean }) | null = null;

  constructor(random: Random) {
    this.random = random;
  }

  get isBusy(): boolean {
    if (this.owner?.isOver) this.owner = null;
    return this.owner !== null;
  }

  /** Begins work. `done` is called with its result, unless the client died before. */
  begin<T>(work: () => Promise<T>, done: (result: T) => void, failed: (error: unknown) => void): void {
    const owner: Owner & { isOver: boolean } = {
      isDead: false,
      isOver: false,
      skewMs: 0,
      answer: (apply) =>
        new Promise((resolve, reject) => {
          if (owner.isDead) return;
          this.calls.push(() => {
            try {
              resolve(apply());
            } catch (error) {
              reject(error);
            }
          });
        }),
    };
    this.owner = owner;
    owners.run(owner, () => {
      work().then(
        (result) => {
          if (owner.isDead) return;
          owner.isOver = true;
          done(result);
        },
        (error: unknown) => {
          owner.isOver = true;
          failed(error);
        },
      );
    });
  }

  /** Dies, or answers the next call, if it is its turn. */
  step(): void {
    if (this.random.chance(0.01)) this.die();
    else if (this.random.chance(0.5)) this.calls.shift()?.();
  }

  die(): void {
    if (this.owner) this.owner.isDead = true;
    this.owner = null;
    this.calls = [];
  }
}
