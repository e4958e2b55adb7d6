import { expect, test } from 'vitest';
import { AppError, VersionConflict } from '#shared/values/app-error.ts';
import { retryOnConflict } from '#shared/values/retry-on-conflict.ts';

class RowConflict extends VersionConflict {}
class OtherConflict extends VersionConflict {}

/** Throws the given errors, attempt by attempt; then returns the number of the attempt. */
const failing = (...errors: Error[]) => {
  const numbers: number[] = [];
  const attempt = async (n: number): Promise<number> => {
    numbers.push(n);
    const error = errors[n - 1];
    if (error) throw error;
    return n;
  };
  return { numbers, attempt };
};

test('attempts again after a conflict, and answers what the first undisturbed attempt answers', async () => {
  const { numbers, attempt } = failing(new RowConflict(), new RowConflict());
  expect(await retryOnConflict([RowConflict], 3, attempt)).toBe(3);
  expect(numbers).toEqual([1, 2, 3]);
});

test('throws the conflict of the last attempt', async () => {
  const last = new RowConflict('second');
  const { numbers, attempt } = failing(new RowConflict('first'), last, new RowConflict('third'));
  await expect(retryOnConflict([RowConflict], 2, attempt)).rejects.toBe(last);
  expect(numbers).toEqual([1, 2]);
});

test.each([new OtherConflict(), new VersionConflict(), new Error('broken')])('throws %o at once', async (error) => {
  const { numbers, attempt } = failing(error);
  await expect(retryOnConflict([RowConflict], 5, attempt)).rejects.toBe(error);
  expect(numbers).toEqual([1]);
});

test('each of several conflicts counts', async () => {
  const { attempt } = failing(new RowConflict(), new OtherConflict());
  expect(await retryOnConflict([RowConflict, OtherConflict], 3, attempt)).toBe(3);
});

test('an error of ours has the name of its class, and its cause', () => {
  const cause = new Error('below');
  const error = new OtherConflict('told', { cause });
  expect(error).toBeInstanceOf(AppError);
  expect([error.name, error.message, error.cause]).toEqual(['OtherConflict', 'told', cause]);
});
