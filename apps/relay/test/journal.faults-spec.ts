import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { encodeRecord } from '../src/journal/journal-records';
import { ask, balanceOf, expectLedgerAddsUp, setBalance, settled } from './support/money';

const platform = usePlatform();
const BALANCE = 1_000_000_000;

describe('a relay with a journal of settlements', () => {
  let folder: string;
  let space: TestSpace;
  const relay = platform.service('relay');
  const isOpen = async (): Promise<boolean> => (await relay.metric('switchyard_relay_journal_open')) === 1;
  const isExpected = async (): Promise<boolean> => (await relay.metric('switchyard_relay_journal_expected')) === 1;
  const replayed = (): Promise<number> => relay.metric('switchyard_relay_journal_replayed_total');
  const setAside = (): Promise<number> => relay.metric('switchyard_relay_journal_set_aside_total');

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

  /** In the order of the ledger. */
  const charges = async (): Promise<number[]> =>
    (
      await platform.database.query<{ tokens: string }>(
        `select -tokens as tokens from relay.ledger where space_id = $1 and type = 'SETTLEMENT' order by seq`,
        [space.id],
      )
    ).map(({ tokens }) => Number(tokens));

  const sorted = (tokens: number[]): number[] => tokens.toSorted((a, b) => a - b);

  /** So many calls are answered while the account cannot be written; then nothing of them is in the ledger. */
  async function answeredBeforeBooked(...outputs: number[]): Promise<() => Promise<void>> {
    const simulator = platform.service('simulator');
    simulator.pause();
    const answers = Promise.all(outputs.map((output) => ask(space.owner, `@@usage 10 ${output}\n@@reply x`)));
    try {
      await until(async () => (await relay.metric('switchyard_relay_calls')) === outputs.length);
      // Includes what they reserve.
      await balanceOf(space.owner);
      const before = await charges();
      const release = await platform.database.hold(
        `select 1 from relay.accounts where space_id = '${space.id}' for update`,
      );
      simulator.resume();
      expect((await answers).map(({ status }) => status)).toEqual(outputs.map(() => 200));
      expect(await charges()).toEqual(before);
      return release;
    } finally {
      simulator.resume();
    }
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
    expect(sorted(await charges())).toEqual([30, 40, 50]);
    expect(await replayed()).toBe(3);
    expect((await settled(space.owner)).balance).toBe(BALANCE - 120);
  });

  it('takes no call before it has booked what an ended relay has left', async () => {
    const release = await answeredBeforeBooked(20);
    await relay.kill();
    await endWaitingStatements();
    await release();
    const start = await platform.database.hold('lock table relay.holders in access exclusive mode');
    await until(() => relay.metric('switchyard_relay_journal_open').then((open) => open === 0));
    const early = await ask(space.owner, '@@usage 10 30\n@@reply x');
    // The call above needs the limits of its Space, which the relay can ask for only when it has started. This one does not.
    const free = (): Promise<{ status: number }> => space.owner.raw('GET', '/models/v1/audio/voices');
    const { status } = await free();
    await start();
    expect([early.status, status, await charges()]).toEqual([503, 503, []]);
    await relay.ready();
    expect(await charges()).toEqual([30]);
    expect((await free()).status).toBe(200);
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
    expect(await setAside()).toBe(0);
    expect(await charges()).toEqual([30, 30, 30, 30, 30]);
    expect((await settled(space.owner)).balance).toBe(BALANCE - 150);
  });

  it('sets entries aside whose Space the database does not have', async () => {
    const ended = randomUUID();
    const entry = { upstream: null, completionTokens: 20, cost: 0, estimated: false, outcome: 'completed' };
    const due = { spaceId: randomUUID(), id: randomUUID(), tokens: 30, entry };
    writeFileSync(path.join(folder, `${ended}-1.journal`), encodeRecord(1, JSON.stringify(due)));
    await relay.crash();
    expect(await setAside()).toBe(1);
    expect(readdirSync(folder).filter((name) => name.startsWith(ended))).toEqual([`${ended}.set-aside`]);
    rmSync(path.join(folder, `${ended}.set-aside`));
  });

  it('leaves files of another database as they are, and books them when that database is back', async () => {
    const release = await answeredBeforeBooked(20);
    const identify = (identity: string): Promise<unknown> =>
      platform.database.query('update relay.database_identity set identity = $1', [identity]);
    const [row] = await platform.database.query<{ identity: string }>('select identity from relay.database_identity');
    const file = path.basename(segment());
    expect(file).toContain(row!.identity);
    try {
      // As in a copy that an operator has given another identity.
      await identify(randomUUID());
      await relay.kill();
      await endWaitingStatements();
      await release();
      await relay.ready();
      await until(isOpen);
      expect([await charges(), await setAside(), readdirSync(folder).includes(file)]).toEqual([[], 1, true]);
    } finally {
      await identify(row!.identity);
    }
    await relay.crash();
    expect([await charges(), await replayed(), readdirSync(folder).includes(file)]).toEqual([[30], 1, false]);
  });

  it('drops an incomplete last line, and sets a damaged one aside', async () => {
    const release = await answeredBeforeBooked(20, 30, 40, 50);
    relay.pause();
    const file = segment();
    const bytes = readFileSync(file);
    const lines = bytes.toString('latin1').split('\n').slice(0, -1);
    expect(lines).toHaveLength(4);
    const [first = '', second = '', third = '', fourth = ''] = lines;
    const tokensOf = (line: string): number => Number(/"tokens":(\d+)/.exec(line)?.[1]);
    const damaged = second.replace(`"tokens":${tokensOf(second)}`, '"tokens":41');
    const text = `${first}\n${damaged}\n${third}\n${fourth.slice(0, -30)}`;
    writeFileSync(file, Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(4096)]));
    await relay.kill();
    await endWaitingStatements();
    await release();
    await relay.ready();
    expect(sorted(await charges())).toEqual(sorted([tokensOf(first), tokensOf(third)]));
    expect(await setAside()).toBe(1);
    const [aside = ''] = readdirSync(folder).filter((name) => name.endsWith('.set-aside'));
    expect(readFileSync(path.join(folder, aside), 'utf8')).toContain('"tokens":41');
    rmSync(path.join(folder, aside));
  });

  it('waits for the database while the folder cannot be used, and uses it again by itself', async () => {
    renameSync(folder, `${folder}-away`);
    writeFileSync(folder, 'no folder');
    await until(async () => !(await isOpen()));
    expect(await isExpected()).toBe(true);
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
    expect(await isExpected()).toBe(false);
    expect((await charges()).at(-1)).toBe(30);
    await second.stop();
    await until(isOpen);
  });
});
