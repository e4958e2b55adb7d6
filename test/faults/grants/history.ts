/** One history: a few grants, acts on them and their tokens at any time, and everything that can go wrong. */
import { createHash } from 'node:crypto';
import { judgeRegistration } from '#shared/agents/client-id.rules.ts';
import { newSecret } from '#shared/auth/token.store.ts';
import { newId } from '#shared/platform/ids.ts';
import { type Random, randomFrom } from '#test/helpers/random.ts';
import { watchAudit } from '../audit-watch.ts';
import { drawFaults } from '../machine/faults.ts';
import { Machine } from '../machine/machine.ts';
import { useServices } from '../machine/services.ts';
import { virtual } from '../machine/virtual-process.ts';
import { SimulatedTable } from '../table/simulated-table.ts';
import type { Item } from '../table/values.ts';
import { newest, perform } from './acts.ts';
import { faultsOf, lineFaults } from './checks.ts';
import type { Act, ActKind, GivenToken, Line } from './line.ts';
import { type Watch, watchTable } from './watch.ts';

const START_MS = Date.parse('2026-11-21T12:00:00.000Z');
const [SECOND_MS, HOUR_MS, DAY_MS] = [1_000, 3_600_000, 86_400_000];
/** Pauses between two acts: usually moments, sometimes longer than a token or code lives. */
const PAUSES_MS = [0, 0, 0, 5, 50, SECOND_MS, 10 * SECOND_MS, 29 * SECOND_MS, 31 * SECOND_MS];
const LONG_PAUSES_MS = [61 * SECOND_MS, HOUR_MS, HOUR_MS + SECOND_MS, 20 * DAY_MS, 31 * DAY_MS, 181 * DAY_MS];
/** Every tenth history has patient clients: they return just before their tokens expire, until the grant ends. */
const HISTORIES_PER_PATIENT = 10;
const PATIENT_PAUSE_MS = 29 * DAY_MS;
const TIMEOUT_MS = 29_000;
const REDIRECT = 'https://agent.test/callback';
const NEVER = Number.POSITIVE_INFINITY;

export interface GrantWorld {
  random: Random;
  machine: Machine;
  table: SimulatedTable;
  watch: Watch;
  acts: Act[];
  violations: string[];
  isPatient: boolean;
}

const clientNamed = (name: string): string =>
  judgeRegistration(
    { client_name: name, redirect_uris: [REDIRECT], grant_types: ['refresh_token'] },
    { appUris: [], isLoopbackAllowed: false },
  ).client!.id;

const CLIENTS = [clientNamed('one'), clientNamed('another')] as const;

const newLine = (random: Random, organizationId: string): Line => {
  const at = random.int(0, 1);
  const verifier = newSecret();
  const clientId = CLIENTS[at]!;
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  return {
    organizationId,
    clientId,
    otherClientId: CLIENTS[1 - at]!,
    verifier,
    query,
    grantId: newId(),
    code: undefined,
    codeLife: { holdsUntilMs: NEVER, overFromMs: NEVER },
    life: { holdsUntilMs: NEVER, overFromMs: NEVER },
    access: [],
    refresh: [],
    facts: {
      created: undefined,
      redeemed: undefined,
      issues: [],
      refreshesOf: new Map(),
      revoked: undefined,
      goneSeq: NEVER,
      codeGoneSeq: NEVER,
    },
  };
};

export const createGrantWorld = (seed: number, isTold: boolean): GrantWorld => {
  const random = randomFrom(seed);
  virtual.nowMs = START_MS;
  virtual.timers.clear();
  const ids = randomFrom(seed ^ 0x5eed);
  virtual.random = () => ids.int(0, 0xffff_ffff) / 2 ** 32;
  const machine = new Machine(random, drawFaults(random));
  machine.isTold = isTold;
  const table = new SimulatedTable();
  useServices({ machine, table, objects: new Map(), queues: undefined as never, schedules: new Map() });
  const organizations = [newId(), newId()];
  const count = seed % HISTORIES_PER_PATIENT === 0 ? 1 : random.int(1, 3);
  const lines = Array.from({ length: count }, () => newLine(random, random.pick(organizations)));
  const watch = watchTable(table, machine, lines);
  watchAudit(table, (line) => watch.violations.push(line));
  const isPatient = seed % HISTORIES_PER_PATIENT === 0;
  return { random, machine, table, watch, acts: [], violations: [], isPatient };
};

type Doer = Pick<Act, 'kind' | 'line' | 'isRightful' | 'token'>;

/** Starts an act and checks its outcome when it ends. */
const begin = ({ machine, watch, acts, violations }: GrantWorld, doer: Doer, isSafe = false): Promise<void> => {
  const act: Act = {
    ...doer,
    name: `${doer.kind}-${acts.length + 1}`,
    beganSeq: watch.seq,
    beganMs: virtual.nowMs,
    endedSeq: NEVER,
    endedMs: NEVER,
    outcome: undefined,
  };
  acts.push(act);
  watch.acts.set(act.name, act);
  return machine
    .invoke(act.name, TIMEOUT_MS, () => perform(act), isSafe)
    .then((ended) => {
      act.outcome = ended.died || ended.value === undefined ? { kind: 'died' } : ended.value;
      [act.endedSeq, act.endedMs] = [watch.seq, virtual.nowMs];
      machine.tell(`${act.name} of ${act.line.grantId}: ${act.outcome.kind}`);
      violations.push(...faultsOf(act, machine));
    });
};

/** Usually the newest token, otherwise any token that was ever issued. */
const tokenOf = (random: Random, tokens: readonly GivenToken[]): GivenToken | undefined =>
  random.chance(0.6) ? newest(tokens) : tokens.length > 0 ? random.pick(tokens) : undefined;

const often = (kind: ActKind, times: number): ActKind[] => Array.from({ length: times }, () => kind);
const KINDS: readonly ActKind[] = [
  ...often('refresh', 10),
  ...often('use', 5),
  'redeem',
  'ttl',
  'revoke',
  'revoke-token',
];
const PATIENT: readonly ActKind[] = [...often('refresh', 3), 'use'];
/** Possible acts before the client has a token. */
const WAITING: readonly ActKind[] = [...often('redeem', 8), 'ttl', 'revoke'];

/** The next possible act for a grant: first the consent, then the code is redeemed, then anything. */
const kindFor = ({ random, isPatient }: GrantWorld, { code, refresh, access }: Line): ActKind => {
  if (code === undefined) return 'consent';
  const later = isPatient ? PATIENT : KINDS;
  const kind = random.pick(refresh.length === 0 ? WAITING : later);
  return kind === 'use' && access.length === 0 ? 'redeem' : kind;
};

const doerOf = (world: GrantWorld, line: Line): Doer => {
  const { random, isPatient } = world;
  const kind = kindFor(world, line);
  const isRightful = isPatient || kind === 'consent' || kind === 'use' || kind === 'revoke' || random.chance(0.85);
  const tokens = kind === 'use' || (kind === 'revoke-token' && random.chance(0.5)) ? line.access : line.refresh;
  return { kind, line, isRightful, token: isPatient ? newest(tokens) : tokenOf(random, tokens) };
};

/** TTL deletes days late on AWS; here it deletes at any time after the expiry. */
const removeExpired = ({ table, watch, random }: GrantWorld): void => {
  const isOver = ({ expires_at_epoch: atSeconds }: Item): boolean =>
    typeof atSeconds === 'number' && atSeconds * 1_000 <= virtual.nowMs;
  watch.isTtl = true;
  for (const item of [...table.items()].filter(isOver)) if (random.chance(0.5)) table.remove(item);
  watch.isTtl = false;
};

const NEED_TOKEN: readonly ActKind[] = ['refresh', 'use', 'revoke-token'];

/** Each line is one grant: a consent that is running or was lost is not requested again. */
const canBegin = ({ acts }: GrantWorld, { kind, line, token }: Doer): boolean => {
  if (kind === 'consent') return !acts.some((act) => act.kind === 'consent' && act.line === line);
  return token !== undefined || !NEED_TOKEN.includes(kind);
};

const next = (world: GrantWorld): void => {
  const { random, watch } = world;
  const living = watch.lines.filter(({ facts }) => facts.revoked === undefined);
  // Acts on ended grants are sometimes tried again, but not always.
  const lines = living.length > 0 && random.chance(0.8) ? living : watch.lines;
  const doer = doerOf(world, random.pick(lines));
  if (doer.kind === 'ttl') removeExpired(world);
  else if (canBegin(world, doer)) {
    const times = doer.kind !== 'consent' && random.chance(0.2) ? random.int(2, 4) : 1;
    for (let n = 0; n < times; n++) void begin(world, doer);
  }
};

const settleDown = async ({ machine }: GrantWorld): Promise<void> => {
  while (await machine.step(virtual.nowMs + HOUR_MS));
};

/** After the history, without faults: ended grants must stay ended and living tokens must still work. */
const lookAgain = async (world: GrantWorld): Promise<void> => {
  for (const line of world.watch.lines) {
    const doing: Doer[] = line.access.map((token) => ({ kind: 'use', line, isRightful: true, token }));
    const last = newest(line.refresh);
    if (last !== undefined) doing.push({ kind: 'refresh', line, isRightful: true, token: last });
    for (const doer of doing) {
      void begin(world, doer, true);
      await settleDown(world);
    }
  }
};

export const liveGrants = async (world: GrantWorld): Promise<void> => {
  const { random, machine, watch } = world;
  let left = random.int(8, 30);
  const pause = (): number => {
    // Long pauses start when a refresh token exists.
    if (world.isPatient && watch.lines.some(({ refresh }) => refresh.length > 0)) return PATIENT_PAUSE_MS;
    return random.chance(0.12) ? random.pick(LONG_PAUSES_MS) : random.pick(PAUSES_MS);
  };
  const go = (): void => {
    next(world);
    left--;
    if (left === 0) return;
    machine.at(virtual.nowMs + pause(), go);
  };
  machine.at(virtual.nowMs, go);
  while (left > 0) await machine.step(NEVER);
  await settleDown(world);
  await lookAgain(world);
  world.violations.push(...watch.violations, ...watch.lines.flatMap(lineFaults));
};
