/** Generates the rows of a month of an account from a seed, oldest first and the same in every process. */
import { addDays, daysIn, formatDay, twoDigits } from '../../sandbox-kit/calendar.ts';
import { createRandom, type Random } from '../../sandbox-kit/random.ts';
import type { Behaviour } from './behaviour.ts';
import { bankingDay, compact } from './calendar.ts';
import type { FailedTransfer, SandboxAccount, SandboxMonth, SandboxMovement, TransferInfo } from './movement.ts';
import { anyCompany, anyPerson, BANKS } from './parties.ts';

export interface MonthRequest {
  seed: string;
  account: SandboxAccount;
  period: string;
  /** Number of movements of the month; about one in three is a transfer. */
  count: number;
  behaviour: Behaviour;
}

const SUBJECTS = ['Factura 991', 'Anticipo ñandú', 'Arriendo oficina', 'Reembolso', 'Pago cuota 3/12', ''];
const CHARGES = ['PAGO SERVICIO LUZ', 'PAGO PROVEEDOR FICTICIO', 'CHEQUE COBRADO', 'COMISIÓN MANTENCIÓN CUENTA'];
const CREDITS = ['DEPÓSITO EN EFECTIVO', 'ABONO VENTAS CON TARJETA', 'DEPÓSITO CON DOCUMENTOS'];

/** Returns the day of a movement. The last day of a month always has movements, such as rent and wages. */
const dayIn = (period: string, at: number, count: number, random: Random): string =>
  formatDay(period, at === count - 1 ? daysIn(period) : random.int(1, daysIn(period)));

/** Returns the booking day. A movement after 14:00 is booked on the next banking day. */
const bookedOn = (day: string, hour: number): string => bankingDay(hour < 14 ? day : addDays(day, 1));

const transferOf = (random: Random, day: string, time: string, n: number): TransferInfo => {
  const party = random.next() < 0.5 ? anyCompany(random) : anyPerson(random);
  const bank = random.pick(BANKS);
  const number = `${compact(day).slice(2)}${time.replaceAll(':', '')}${String(n).padStart(6, '0')}`;
  const { rut, name } = party;
  return { number, subject: random.pick(SUBJECTS), rut, name, bankCode: bank.code, bank: bank.name };
};

const movementOf = ({ account, period, count }: MonthRequest, at: number, random: Random): SandboxMovement => {
  const day = dayIn(period, at, count, random);
  const hour = random.int(8, 19);
  const time = `${twoDigits(hour)}:${twoDigits(random.int(0, 59))}:${twoDigits(random.int(0, 59))}`;
  const isCredit = random.next() < 0.5;
  const base = account.currency === 'CLP' ? random.int(5_000, 4_500_000) : random.int(1_000, 250_000);
  const transfer = random.next() < 0.35 ? transferOf(random, day, time, at + 1) : null;
  const document = transfer === null && random.next() < 0.3 ? 0 : random.int(1_000, 9_999_999);
  return {
    n: at + 1,
    day,
    time,
    booked: bookedOn(day, hour),
    text:
      transfer === null
        ? random.pick(isCredit ? CREDITS : CHARGES)
        : `TRANSFERENCIA ${isCredit ? 'DE' : 'A'} ${transfer.name}`,
    document: String(document).padStart(12, '0'),
    minor: isCredit ? base : -base,
    transfer,
    isOpenOnly: false,
  };
};

const inOrder = <Row extends SandboxMovement>(rows: Row[]): Row[] =>
  rows
    .toSorted((a, b) => `${a.day}${a.time}`.localeCompare(`${b.day}${b.time}`) || a.n - b.n)
    .map((row, i) => ({ ...row, n: i + 1 }));

const failedOf = (request: MonthRequest, random: Random): FailedTransfer[] =>
  (['RECHAZADA', 'PENDIENTE', 'RECHAZADA'] as const).map((state, i) => {
    const movement = movementOf(request, 0, random);
    const transfer = transferOf(random, movement.day, movement.time, 900_000 + i);
    return { ...movement, transfer, state };
  });

export const generateMonth = (request: MonthRequest): SandboxMonth => {
  const { seed, account, period, count, behaviour } = request;
  const random = createRandom(`${seed}/${account.number}/${period}`);
  const rows = Array.from({ length: count }, (_, at) => movementOf(request, at, random));
  return { movements: inOrder([...rows, ...special(rows, behaviour, period)]), failed: failedOf(request, random) };
};

const special = (rows: readonly SandboxMovement[], behaviour: Behaviour, period: string): SandboxMovement[] => {
  const [first] = rows;
  if (first === undefined) return [];
  // A second payment that equals the first payment on the same day, because such pairs occur at every bank (banks.md
  // part 2).
  const twin = { ...first, transfer: first.transfer && { ...first.transfer, number: `${first.transfer.number}9` } };
  if (behaviour === 'duplicate_rows') return [twin, ...twins(rows)];
  if (behaviour === 'late_booking') return [twin, lateOne(first, period)];
  if (behaviour === 'provisional_differs')
    return [
      twin,
      { ...first, text: 'COMPRA CON TARJETA POR LIQUIDAR', transfer: null, minor: -77_777, isOpenOnly: true },
    ];
  return [twin];
};

/** Returns two movements that are equal except for the transfer number. */
const twins = (rows: readonly SandboxMovement[]): SandboxMovement[] => {
  const transfers = rows.flatMap((row) =>
    row.transfer === null ? [] : [{ ...row, transfer: { ...row.transfer, number: `${row.transfer.number}8` } }],
  );
  const others = rows.filter(({ transfer }) => transfer === null).slice(1, 6);
  return [...transfers.slice(0, 4), ...others, ...others].map((row) => ({ ...row }));
};

/** Returns a movement made on the last day of the previous month and booked in this month. */
const lateOne = (first: SandboxMovement, period: string): SandboxMovement => ({
  ...first,
  day: addDays(`${period}-01`, -1),
  booked: bankingDay(`${period}-01`),
  text: 'COMPRA CON TARJETA',
  transfer: null,
  minor: -123_456,
});
