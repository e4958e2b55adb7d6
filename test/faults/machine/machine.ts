/**
 * One history: workers that run at the same time, the calls that they wait for, messages and timers, all driven one
 * step at a time by a seed. A worker that dies gets no more answers, and none of its later calls has an effect.
 */
import { contextFields } from '#shared/platform/log-context.ts';
import type { Random } from '#test/helpers/random.ts';
import { unreachable } from '../table/errors.ts';
import { BusyServices, drawOutageMs } from './busy-services.ts';
import type { Fault, FaultProfile } from './faults.ts';
import type { Appointment, CallOptions, Invocation, PendingCall } from './invocations.ts';
import { asCaller, effectOf } from './invocations.ts';
import { type Owner, owners, settle, type Timer, virtual } from './virtual-process.ts';

const EVERY_CALL: readonly Fault[] = ['die-before', 'die-after', 'fail-before', 'fail-after', 'stall', 'freeze'];
const CALL_MS_MAX = 12;
/** An adapter may wait only for its signal: then only the next timer helps. */
const ROUNDS_MAX = 200;
/** Clocks of two workers differ by up to twice this value, which is less than `leaseMarginMs`. */
const SKEW_MS_MAX = 7_000;
const STALL_MS: readonly number[] = [5_000, 40_000, 70_000, 100_000, 240_000];

/** Earliest time at which the worker can continue. */
const wakeOf = (ms: number, owner: Owner | undefined): number =>
  Math.max(ms, (owner as Invocation | undefined)?.frozenMs ?? 0);

export class Machine {
  readonly random: Random;
  readonly faults: FaultProfile;
  readonly busy = new BusyServices();
  readonly appointments = new Set<Appointment>();
  readonly invocations = new Set<Invocation>();
  /** Log of events, for the reader of a failing history. */
  readonly story: string[] = [];
  isTold = false;
  steps = 0;
  /** Number of faults per worker: some checks apply only to workers without faults. */
  readonly faultsOf = new Map<string, number>();
  /** Kinds of faults per worker. */
  private readonly kindsOf = new Map<string, Set<Fault>>();
  /** Number of other problems: late or lost messages, refusals of the institution. */
  mishaps = 0;
  /** Draws the clock error of each worker; null when all clocks are right. */
  clocks: Random | null = null;
  onDeath: ((invocation: Invocation) => void) | undefined;
  /** Called before each step. */
  onStep: (() => Promise<void>) | undefined;
  /** Fault of the call whose effect is being stored now. */
  faultUnderWay: Fault | null = null;
  private readonly pending: PendingCall[] = [];
  private ids = 0;

  constructor(random: Random, faults: FaultProfile) {
    this.random = random;
    this.faults = faults;
  }

  /** Largest difference between two clocks, in milliseconds. */
  get skewMsMax(): number {
    return this.clocks === null ? 0 : 2 * SKEW_MS_MAX;
  }

  /** Whether a worker of one of these names met a fault that is not in `except`. */
  wasHit(names: readonly string[], except: readonly Fault[] = []): boolean {
    return names.some((name) => [...(this.kindsOf.get(name) ?? [])].some((kind) => !except.includes(kind)));
  }

  tell(line: string): void {
    if (this.isTold) this.story.push(`${new Date(virtual.nowMs).toISOString()} ${line}`);
  }

  at(dueMs: number, happen: () => void): Appointment {
    const appointment = { dueMs, happen };
    this.appointments.add(appointment);
    return appointment;
  }

  /** Returns how the invocation ended; `died` if the platform killed it. */
  invoke<T>(
    name: string,
    timeoutMs: number,
    task: (invocation: Invocation) => Promise<T>,
    isSafe = false,
  ): Promise<{ died: true } | { died: false; error?: unknown; value?: T }> {
    return new Promise((resolve) => {
      const invocation: Invocation = {
        id: ++this.ids,
        name,
        deadlineMs: virtual.nowMs + timeoutMs,
        frozenMs: 0,
        stalledMs: 0,
        isSafe,
        isDead: false,
        skewMs: this.clocks?.int(-SKEW_MS_MAX, SKEW_MS_MAX) ?? 0,
        died: () => resolve({ died: true }),
      };
      this.invocations.add(invocation);
      this.tell(`#${invocation.id} ${name} begins`);
      owners.run(invocation, () => {
        task(invocation).then(
          (value) => this.end(invocation, () => resolve({ died: false, value })),
          (error: unknown) => this.end(invocation, () => resolve({ died: false, error })),
        );
      });
    });
  }

  private end(invocation: Invocation, tell: () => void): void {
    if (invocation.isDead) return;
    this.tell(`#${invocation.id} ${invocation.name} ends`);
    this.invocations.delete(invocation);
    this.forget(invocation);
    tell();
  }

  kill(invocation: Invocation, why: string): void {
    if (invocation.isDead) return;
    this.tell(`#${invocation.id} ${invocation.name} dies: ${why}`);
    this.invocations.delete(invocation);
    this.forget(invocation);
    this.onDeath?.(invocation);
    invocation.died();
  }

  /** An environment that ended or is frozen does nothing more. */
  private forget(invocation: Invocation): void {
    invocation.isDead = true;
    for (const timer of virtual.timers) if (timer.owner === invocation) virtual.timers.delete(timer);
    for (let n = this.pending.length - 1; n >= 0; n--)
      if (this.pending[n]!.invocation === invocation) this.pending.splice(n, 1);
  }

  /** A call of the current worker: answered when its turn comes, or never. */
  call<T>(name: string, apply: () => T, options: CallOptions = {}): Promise<T> {
    const owner = owners.getStore() as Invocation | undefined;
    if (owner?.answer) return owner.answer(apply);
    // A call without a worker comes from the checks, which read the table as it is.
    if (!owner) return new Promise((resolve) => resolve(apply()));
    if (owner.isDead) return new Promise<never>(() => {});
    return new Promise<T>((resolve, reject) => {
      this.pending.push({
        invocation: owner,
        fields: contextFields(),
        name,
        readyMs: virtual.nowMs,
        stalled: false,
        options,
        apply,
        resolve: resolve as never,
        reject,
      });
    });
  }

  private draw(call: PendingCall): Fault | null {
    const { faults, random } = this;
    if (call.invocation.isSafe) return null;
    if (this.busy.refuses(call.options)) return this.count(call, 'outage');
    if (faults.left <= 0) return null;
    const aimed = faults.aims.find(({ calls }) => calls.test(call.name)) ?? faults;
    if (!random.chance(aimed.rate)) return null;
    const able = new Set([...EVERY_CALL, ...(call.options.faults ?? [])]);
    const kinds = aimed.kinds.filter((kind) => able.has(kind) && !(kind === 'stall' && call.stalled));
    if (kinds.length === 0) return null;
    faults.left--;
    const kind = random.pick(kinds);
    if (kind === 'outage') this.busy.begin(call.options.service!, drawOutageMs(random, faults.outagesMs));
    return this.count(call, kind);
  }

  private count(call: PendingCall, kind: Fault): Fault {
    const { name } = call.invocation;
    this.faultsOf.set(name, (this.faultsOf.get(name) ?? 0) + 1);
    this.kindsOf.set(name, (this.kindsOf.get(name) ?? new Set()).add(kind));
    this.tell(`#${call.invocation.id} ${call.name}: ${kind}`);
    return kind;
  }

  private perform(call: PendingCall): void {
    const fault = this.draw(call);
    if (fault === 'freeze') {
      call.invocation.frozenMs = virtual.nowMs + this.random.pick(STALL_MS);
      this.pending.push(call);
      return;
    }
    if (fault === 'stall') {
      this.stall(call);
      return;
    }
    virtual.nowMs += this.random.int(0, CALL_MS_MAX);
    const { invocation, name, options } = call;
    if (fault === 'die-before') this.kill(invocation, fault);
    else if (fault === 'die-late') {
      this.doLate(call);
      this.kill(invocation, fault);
    } else if (fault === 'fail-before') call.reject(unreachable());
    else if (fault === 'conflict') call.reject(options.conflict!());
    else if (fault === 'throttle' || fault === 'outage') call.reject(options.refusal!(this.random));
    else {
      const apply = fault === 'unprocessed' ? options.unprocessed! : call.apply;
      this.faultUnderWay = fault;
      const effect = asCaller(call, () => effectOf(apply, fault === 'twice'));
      this.faultUnderWay = null;
      if (fault === 'echo') this.doLate(call);
      if (fault === 'die-after') this.kill(invocation, fault);
      else if (fault === 'fail-after') call.reject(unreachable());
      else if ('refusal' in effect) call.reject(effect.refusal);
      else call.resolve(effect.answer);
      if (this.isTold && !invocation.isDead)
        this.tell(
          `#${invocation.id} ${name}${'refusal' in effect ? ` refused: ${(effect.refusal as Error).name}` : ''}`,
        );
    }
  }

  /** Applies a call minutes later, when nobody waits for its answer. */
  private doLate(call: PendingCall): void {
    const { invocation, name, apply } = call;
    this.at(virtual.nowMs + this.random.pick(STALL_MS), () => {
      const end = asCaller(call, () => effectOf(apply, false));
      this.tell(`#${invocation.id} ${name} comes late${'refusal' in end ? ' and is refused' : ''}`);
    });
  }

  /**
   * The answer takes long. An unconditional write takes effect at once: a write cannot travel for minutes, because the
   * client gives up long before.
   */
  private stall(call: PendingCall): void {
    const { apply, options, invocation } = call;
    const answer = options.isUnconditional ? asCaller(call, apply) : undefined;
    const stalled = options.isUnconditional ? () => answer : apply;
    const readyMs = virtual.nowMs + this.random.pick(STALL_MS);
    invocation.stalledMs = Math.max(invocation.stalledMs, readyMs);
    this.pending.push({ ...call, apply: stalled, stalled: true, readyMs });
  }

  private fire(timer: Timer): void {
    if (timer.everyMs === null) virtual.timers.delete(timer);
    else timer.dueMs = virtual.nowMs + timer.everyMs;
    if (timer.owner) owners.run(timer.owner, timer.fire);
    else timer.fire();
  }

  private isPast = (dueMs: number): boolean => dueMs <= virtual.nowMs;

  /** Runs the next event. Returns false when no event is left, or none before `untilMs`. */
  async step(untilMs: number): Promise<boolean> {
    await settle();
    for (let rounds = 0; rounds < ROUNDS_MAX && this.isBusy(); rounds++) await settle();
    this.steps++;
    await this.onStep?.();
    for (const invocation of this.invocations)
      if (this.isPast(invocation.deadlineMs)) this.kill(invocation, 'its time is over');
    const ready: (() => void)[] = [];
    for (const call of this.pending)
      if (this.isPast(wakeOf(call.readyMs, call.invocation)))
        ready.push(() => {
          this.pending.splice(this.pending.indexOf(call), 1);
          this.perform(call);
        });
    for (const timer of virtual.timers)
      if (this.isPast(wakeOf(timer.dueMs, timer.owner))) ready.push(() => this.fire(timer));
    for (const appointment of this.appointments)
      if (this.isPast(appointment.dueMs))
        ready.push(() => {
          this.appointments.delete(appointment);
          appointment.happen();
        });
    if (ready.length > 0) {
      this.random.pick(ready)();
      return true;
    }
    const nextMs = this.nextMs();
    if (nextMs > untilMs) return false;
    virtual.nowMs = nextMs;
    return true;
  }

  /** Whether a worker waits neither for a call nor for a timer. Encryption takes some rounds of the event loop. */
  private isBusy(): boolean {
    const waiting = new Set<Owner | undefined>(this.pending.map(({ invocation }) => invocation));
    for (const { owner, isSleep } of virtual.timers) if (isSleep) waiting.add(owner);
    for (const invocation of this.invocations) if (!waiting.has(invocation)) return true;
    return false;
  }

  private nextMs(): number {
    const calls = this.pending.map(({ readyMs, invocation }) => wakeOf(readyMs, invocation));
    const timers = [...virtual.timers].map(({ dueMs, owner }) => wakeOf(dueMs, owner));
    const appointments = [...this.appointments].map(({ dueMs }) => dueMs);
    // If a worker waits for nothing that the machine knows, only the platform's deadline ends it.
    const deadlines = [...this.invocations].map(({ deadlineMs }) => deadlineMs);
    return Math.min(...calls, ...timers, ...appointments, ...deadlines);
  }

  get isIdle(): boolean {
    return this.pending.length === 0 && this.invocations.size === 0;
  }
}
