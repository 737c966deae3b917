import { mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { ask, balanceOf, expectLedgerAddsUp, preleasedIn, setBalance, settled } from './support/money';

const platform = usePlatform();
const BALANCE = 1_000_000_000;

describe('a relay with a journal of settlements', () => {
  let folder: string;
  let space: TestSpace;
  const relay = platform.service('relay');
  const isOpen = async (): Promise<boolean> => (await relay.metric('switchyard_relay_journal_open')) === 1;
  const replayed = (): Promise<number> => relay.metric('switchyard_relay_journal_replayed_total');

  beforeAll(async () => {
    folder = path.join(mkdtempSync(path.join(os.tmpdir(), 'relay-journal-')), 'journal');
    await relay.restart({ RELAY_JOURNAL_FOLDER: folder });
    await relay.ready();
  });

  afterAll(async () => {
    await relay.restart();
    rmSync(path.dirname(folder), { recursive: true, force: true });
  });

  beforeEach(async () => {
    await relay.ready();
    await until(isOpen);
    space = await platform.newSpace();
    await setBalance(space, BALANCE);
  });

  afterEach(async () => {
    await settled(space.owner);
    await expectLedgerAddsUp(platform, space);
  });

  const charges = async (): Promise<number[]> =>
    (
      await platform.database.query<{ tokens: string }>(
        `select -tokens as tokens from relay.ledger where space_id = $1 and type = 'SETTLEMENT' order by seq`,
        [space.id],
      )
    ).map(({ tokens }) => Number(tokens));

  /** So many calls are answered while the account cannot be written; then nothing of them is in the ledger. */
  async function answeredBeforeBooked(...outputs: number[]): Promise<() => Promise<void>> {
    // Calls begin without a write once the relay has reserved for more of them.
    await until(async () => {
      await ask(space.owner, '@@usage 1 1\n@@reply x');
      return (await preleasedIn(platform, space)) > 0;
    });
    await balanceOf(space.owner);
    const before = await charges();
    const release = await platform.database.hold(
      `select 1 from relay.accounts where space_id = '${space.id}' for update`,
    );
    for (const output of outputs) expect((await ask(space.owner, `@@usage 10 ${output}\n@@reply x`)).status).toBe(200);
    expect(await charges()).toEqual(before);
    return release;
  }

  /** Otherwise its statements would still run when it is dead. */
  const endWaitingStatements = (): Promise<unknown> =>
    platform.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and query like '%accounts%'`,
    );

  const segment = (): string => {
    const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.journal'));
    return path.join(folder, name);
  };

  it('answers before a call is booked, and tells the exact usage right after the answer', async () => {
    const release = await answeredBeforeBooked(20);
    const reads = Promise.all([
      balanceOf(space.owner),
      space.owner.get('/usage/ledger'),
      space.owner.get('/usage?groupBy=model'),
    ]);
    // A read that does not wait would be answered by now.
    await Promise.race([reads, sleep(500)]);
    await release();
    const [{ balance }, ledger, usage] = await reads;
    const sum = (await charges()).reduce((total, tokens) => total + tokens, 0);
    expect((await charges()).at(-1)).toBe(30);
    expect(balance).toBe(BALANCE - sum);
    expect(ledger.body.data[0].tokens).toBe(-30);
    expect(usage.body.data.reduce((total: number, row: { tokens: number }) => total + row.tokens, 0)).toBe(sum);
  });

  it('charges each call that was answered when it is killed before they are booked', async () => {
    const release = await answeredBeforeBooked(20, 30, 40);
    await relay.kill();
    await endWaitingStatements();
    await release();
    await relay.ready();
    expect((await charges()).slice(-3)).toEqual([30, 40, 50]);
    expect(await replayed()).toBeGreaterThanOrEqual(3);
    expect((await settled(space.owner)).balance).toBe(
      BALANCE - (await charges()).reduce((total, tokens) => total + tokens, 0),
    );
  });

  it('charges a call whose answer was lost because the relay was killed after the write', async () => {
    await relay.arm('relay.journaled', 'kill');
    const answer = await ask(space.owner, '@@usage 10 20\n@@reply x').catch(() => ({ status: 0 }));
    expect(answer.status).not.toBe(200);
    await relay.ready();
    expect([await charges(), await replayed()]).toEqual([[30], 1]);
  });

  it('charges no call twice when it is killed after they are booked', async () => {
    await Promise.all(Array.from({ length: 5 }, () => ask(space.owner, '@@usage 10 20\n@@reply x')));
    await until(async () => (await charges()).length === 5);
    await relay.crash();
    expect(await replayed()).toBeGreaterThanOrEqual(1);
    expect(await charges()).toEqual([30, 30, 30, 30, 30]);
    expect((await settled(space.owner)).balance).toBe(BALANCE - 150);
  });

  it('drops an incomplete last line, and sets a damaged one aside', async () => {
    const release = await answeredBeforeBooked(20, 30, 40, 50);
    relay.pause();
    const file = segment();
    const bytes = readFileSync(file);
    const lines = bytes.toString('latin1').split('\n').slice(0, -1);
    expect(lines).toHaveLength(4);
    const [first = '', second = '', third = '', fourth = ''] = lines;
    const text = `${first}\n${second.replace('"tokens":40', '"tokens":41')}\n${third}\n${fourth.slice(0, -30)}`;
    writeFileSync(file, Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(4096)]));
    await relay.kill();
    await endWaitingStatements();
    await release();
    await relay.ready();
    expect((await charges()).slice(-2)).toEqual([30, 50]);
    expect(await relay.metric('switchyard_relay_journal_set_aside_total')).toBe(1);
    const [aside = ''] = readdirSync(folder).filter((name) => name.endsWith('.set-aside'));
    expect(readFileSync(path.join(folder, aside), 'utf8')).toContain('"tokens":41');
    rmSync(path.join(folder, aside));
  });

  it('waits for the database while the folder cannot be used, and uses it again by itself', async () => {
    renameSync(folder, `${folder}-away`);
    writeFileSync(folder, 'no folder');
    await until(async () => !(await isOpen()));
    expect((await ask(space.owner, '@@usage 10 20\n@@reply x')).status).toBe(200);
    expect(await charges()).toEqual([30]);
    rmSync(folder);
    await until(isOpen);
    expect((await ask(space.owner, '@@usage 10 30\n@@reply x')).status).toBe(200);
    expect((await settled(space.owner)).balance).toBe(BALANCE - 70);
  });

  it('answers calls that end while the database is away, and books them when it is back', async () => {
    const answers = Promise.all(
      Array.from({ length: 10 }, () => ask(space.owner, '@@usage 10 20\n@@delay 3000\n@@reply x')),
    );
    await until(async () => (await balanceOf(space.owner)).reserved > 0);
    await until(async () => (await relay.metric('switchyard_relay_calls')) === 10);
    const postgres = platform.service('postgres');
    await postgres.stop();
    const statuses = (await answers).map(({ status }) => status);
    await postgres.start();
    await postgres.ready();
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 200));
    expect((await until(() => settled(space.owner))).balance).toBe(BALANCE - 300);
  });

  it('keeps what it reserves while it is taken for dead, and has no journal beside another relay', async () => {
    const release = await answeredBeforeBooked(20);
    const reserved = async (): Promise<number> => {
      const [row] = await platform.database.query<{ tokens: string }>(
        'select sum(tokens + ahead) as tokens from relay.leases where space_id = $1',
        [space.id],
      );
      return Number(row?.tokens ?? 0);
    };
    relay.pause();
    await endWaitingStatements();
    await release();
    const before = await reserved();
    expect(before).toBeGreaterThan(0);
    const second = platform.service('relay-2');
    await second.start();
    await second.ready();
    // It has swept what dead relays hold.
    await until(async () => (await second.metric('switchyard_relay_journal_open')) === 0);
    await sleep(3_000);
    expect(await reserved()).toBe(before);
    relay.resume();
    await until(async () => !(await isOpen()));
    expect((await charges()).at(-1)).toBe(30);
    await second.stop();
    await until(isOpen);
  });
});
