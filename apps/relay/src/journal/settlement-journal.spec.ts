import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { transformSync } from '@swc/core';
import { parseSegment } from './journal-records';
import { type JournalSegment, type JournalState, SettlementJournal } from './settlement-journal';

const children: ChildProcess[] = [];
const onLinux = process.platform === 'linux' ? it : it.skip;
const HOLDER = '00000000-0000-7000-8000-000000000001';
const DATABASE = '00000000-0000-4000-8000-000000000002';
const FIRST = `${HOLDER}-1-${DATABASE}.journal`;

describe('the journal of settlements', () => {
  let folder: string;
  let states: JournalState['kind'][];

  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'journal-'));
    states = [];
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  const journalOf = (maxBytes = 64 * 1024): SettlementJournal => {
    const journal = new SettlementJournal({
      folder,
      name: HOLDER,
      maxBytes,
      retryMs: 0,
      onState: ({ kind }) => states.push(kind),
    });
    journal.open(DATABASE);
    return journal;
  };
  const files = (): string[] => readdirSync(folder).toSorted();
  const onDisk = (): string[] => files().flatMap((name) => parseSegment(readFileSync(path.join(folder, name))).entries);
  const entry = (n: number, bytes = 10): string => JSON.stringify({ n, text: 'x'.repeat(bytes) });

  it('has on the disk what it has acknowledged, also when many wait at a time', async () => {
    const journal = journalOf();
    await Promise.all(Array.from({ length: 100 }, (_, n) => journal.append(entry(n))));
    expect(onDisk()).toEqual(Array.from({ length: 100 }, (_, n) => entry(n)));
    expect(states).toEqual([]);
  });

  it('writes over booked entries, and over no others', async () => {
    const journal = journalOf();
    const [a, b] = await Promise.all([journal.append(entry(1)), journal.append(entry(2))]);
    journal.release(a!);
    await journal.append(entry(3));
    expect(onDisk()).toEqual([entry(1), entry(2), entry(3)]);
    journal.release(b!);
    journal.release(b!);
    await journal.append(entry(4));
    expect([onDisk(), files()]).toEqual([[entry(4)], [FIRST]]);
  });

  it('takes no more than its bytes, and takes entries again once some are booked', async () => {
    const journal = journalOf(4 * 1024);
    const taken: JournalSegment[] = [];
    for (let n = 0; n < 12; n += 1) {
      const segment = await journal.append(entry(n, 400));
      if (segment) taken.push(segment);
    }
    expect([taken.length, states, files().length]).toEqual([8, ['full'], 4]);
    expect(onDisk()).toHaveLength(8);
    for (const segment of taken.slice(0, 2)) journal.release(segment);
    expect(await journal.append(entry(20, 400))).not.toBeNull();
    expect([states, files().length]).toEqual([['full', 'works'], 4]);
  });

  it('refuses an entry that is larger than a file', async () => {
    expect(await journalOf(4 * 1024).append(entry(1, 2_000))).toBeNull();
  });

  it('takes nothing while its folder cannot be written, and works again by itself', async () => {
    const journal = journalOf();
    rmSync(folder, { recursive: true });
    expect(await journal.append(entry(1))).toBeNull();
    expect(await journal.append(entry(2))).toBeNull();
    expect(states).toEqual(['failed']);
    folder = mkdtempSync(folder);
    const other = journalOf();
    expect(await other.append(entry(3))).not.toBeNull();
  });

  it('writes into no file that was removed', async () => {
    const journal = journalOf();
    await journal.append(entry(1));
    for (const name of files()) rmSync(path.join(folder, name));
    await journal.checkFiles();
    await journal.append(entry(2));
    expect([onDisk(), states]).toEqual([[entry(2)], ['failed', 'works']]);
  });

  it('takes a file that cannot be looked at for one that was removed', async () => {
    const journal = journalOf();
    const segment = await journal.append(entry(1));
    closeSync(segment!.file);
    await journal.checkFiles();
    expect(states).toEqual(['failed']);
  });

  it('removes its files when it is closed, apart from those with entries that are not booked', async () => {
    const journal = journalOf();
    const segment = await journal.append(entry(1));
    await journal.close();
    expect([files().length, await journal.append(entry(2))]).toEqual([1, null]);
    journal.release(segment!);
    while (files().length > 0) await new Promise(setImmediate);
  });

  onLinux(
    'takes nothing when the disk takes no more, leaves no part of a file, and works again by itself',
    async () => {
      const disk = limitedDisk(folder);
      await disk('limit', '8192');
      expect([await disk('append', entry(1)), await disk('append', entry(2)), files()]).toEqual([false, false, []]);
      await disk('limit', 'unlimited');
      expect([await disk('append', entry(3)), onDisk()]).toEqual([true, [entry(3)]]);
      expect(await disk('end')).toEqual(['failed', 'works']);
    },
  );

  onLinux('keeps what it has acknowledged when a later write fails', async () => {
    const disk = limitedDisk(folder);
    await disk('append', entry(1, 3_000));
    await disk('limit', '4096');
    expect(await disk('append', entry(2, 3_000))).toBe(false);
    await disk('limit', 'unlimited');
    expect(await disk('append', entry(3))).toBe(true);
    expect(onDisk().toSorted()).toEqual([entry(1, 3_000), entry(3)]);
    await disk('end');
  });

  onLinux('is closed although the disk hangs, and removes its files when the disk answers', async () => {
    const disk = limitedDisk(folder);
    expect(await disk('append', entry(1))).toBe(true);
    await disk('release');
    await disk('hang');
    await disk('close');
    expect(files()).toEqual([FIRST]);
    await disk('resume');
    while (files().length > 0) await new Promise(setImmediate);
    await disk('end');
  });

  onLinux(
    'waits for no look at a file of a disk that hangs, writes nothing meanwhile, and keeps the file',
    async () => {
      const disk = limitedDisk(folder);
      expect(await disk('append', entry(1))).toBe(true);
      await disk('hang');
      expect([await disk('check'), await disk('append', entry(2))]).toEqual([['failed'], false]);
      await disk('resume');
      while (!(await disk('append', entry(3)))) await new Promise(setImmediate);
      expect([files(), onDisk(), await disk('end')]).toEqual([[FIRST], [entry(1), entry(3)], ['failed', 'works']]);
    },
  );

  onLinux('waits for no write to a disk that hangs, and works again when the write has returned', async () => {
    const disk = limitedDisk(folder);
    expect(await disk('append', entry(1))).toBe(true);
    await disk('hang');
    expect([await disk('append', entry(2)), await disk('append', entry(3))]).toEqual([false, false]);
    // The late write may reach the disk: until then, nothing else may use its file.
    expect([await disk('release'), files()]).toEqual([true, [FIRST]]);
    await disk('resume');
    while (files().length > 0) await new Promise(setImmediate);
    expect([await disk('append', entry(4)), onDisk()]).toEqual([true, [entry(4)]]);
    expect(await disk('end')).toEqual(['failed', 'works']);
  });
});

const SCRIPT = `
  const { SettlementJournal } = require('./settlement-journal.js');
  const fs = require('node:fs');
  const states = [];
  const segments = [];
  const journal = new SettlementJournal({ folder: process.argv[2], name: process.argv[3], maxBytes: 65536, retryMs: 0,
    writeLimitMs: 1000, onState: ({ kind }) => states.push(kind) });
  journal.open(process.argv[5]);
  process.on('SIGXFSZ', () => undefined);
  process.on('message', async ([what, text]) => {
    if (what === 'append') {
      const segment = await journal.append(text);
      if (segment) segments.push(segment);
      return process.send(segment !== null);
    }
    if (what === 'release') journal.release(segments.pop());
    if (what === 'check') await journal.checkFiles();
    if (what === 'close') await journal.close();
    if (what === 'hang') fs.open(process.argv[4], 'r', () => undefined);
    process.send(what === 'end' || what === 'check' ? states : true, () => what === 'end' && process.exit());
  });`;

type DiskCommand = 'append' | 'release' | 'check' | 'limit' | 'hang' | 'close' | 'resume' | 'end';

/**
 * A journal in a process for whose files the disk can be made too small: then a write fails in the middle. It has one
 * thread for files, which also hangs while a pipe is opened that has no other side.
 */
function limitedDisk(folder: string): (what: DiskCommand, text?: string) => Promise<unknown> {
  const code = mkdtempSync(path.join(os.tmpdir(), 'journal-code-'));
  for (const name of ['settlement-journal', 'journal-records', 'disk-limit', 'sync-folder']) {
    const source = readFileSync(path.join(__dirname, `${name}.ts`), 'utf8');
    const options = { jsc: { parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } } as const;
    writeFileSync(path.join(code, `${name}.js`), transformSync(source, options).code);
  }
  writeFileSync(path.join(code, 'main.js'), SCRIPT);
  const pipe = path.join(code, 'pipe');
  spawnSync('mkfifo', [pipe]);
  const child = fork(path.join(code, 'main.js'), [folder, HOLDER, pipe, DATABASE], {
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
  });
  children.push(child);
  return async (what, text) => {
    if (what === 'resume') {
      closeSync(openSync(pipe, 'w'));
      return null;
    }
    if (what === 'limit') {
      const { status } = spawnSync('prlimit', ['--pid', String(child.pid), `--fsize=${text}:`]);
      expect(status).toBe(0);
      return null;
    }
    const answering = once(child, 'message');
    child.send([what, text]);
    const [answer] = (await answering) as unknown[];
    if (what === 'end') rmSync(code, { recursive: true });
    return answer;
  };
}
