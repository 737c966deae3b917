import { insideTransaction, isInTransaction } from './transaction-context';

describe('work inside a transaction', () => {
  it('is detected across awaits, and not in concurrent work', async () => {
    const seen: boolean[] = [];
    const concurrent = Promise.resolve().then(() => isInTransaction());
    await insideTransaction(async () => {
      seen.push(isInTransaction());
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(isInTransaction());
    });
    expect([...seen, await concurrent, isInTransaction()]).toEqual([true, true, false, false]);
  });

  it('ends with the transaction, also for work that was not awaited', async () => {
    let late!: Promise<boolean>;
    let end!: () => void;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    await insideTransaction(() => {
      late = ended.then(() => isInTransaction());
      return Promise.resolve();
    });
    end();
    expect(await late).toBe(false);
  });

  it('is outside again when it fails', async () => {
    await expect(insideTransaction(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(isInTransaction()).toBe(false);
  });
});
