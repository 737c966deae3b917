import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { JournalFolder } from './journal-folder';
import { encodeRecord } from './journal-records';

const idOf = (n: number): string => `00000000-0000-7000-8000-00000000000${n}`;

describe('the folder of a journal', () => {
  let root: string;
  let folder: string;
  const opened: JournalFolder[] = [];
  const children: ChildProcess[] = [];
  const folderOf = (n: number, limitMs?: number): JournalFolder => {
    const made = new JournalFolder(folder, idOf(n), limitMs);
    opened.push(made);
    return made;
  };

  beforeEach(() => {
    root = mkdtempSync(path.join(os.tmpdir(), 'journal-'));
    // Longer than the path of a socket may be.
    folder = path.join(root, 'deep'.repeat(30), 'journal');
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    for (const each of opened.splice(0)) await each.unlock();
    rmSync(root, { recursive: true, force: true });
  });

  /** Another process, which uses the folder or tries to. */
  const listening = async (holder: string): Promise<ChildProcess> => {
    const script = `process.chdir(${JSON.stringify(folder)}); require('net').createServer().listen('${holder}.lock', () => console.log('listening'));`;
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    return child;
  };

  it('is used by one process at a time', async () => {
    const [one, two] = [folderOf(1), folderOf(2)];
    expect([await one.lock(), await two.lock(), await one.lock()]).toEqual([true, false, true]);
    await one.unlock();
    expect([await two.lock(), await one.isIntact(), await two.isIntact()]).toEqual([true, false, true]);
  });

  it('is never used by two that try at the same time', async () => {
    for (let round = 0; round < 20; round += 1) {
      const both = [folderOf(1), folderOf(2)];
      const locked = await Promise.all(both.map((each) => each.lock()));
      expect(locked.filter(Boolean).length).toBeLessThan(2);
      for (const each of both) await each.unlock();
    }
  });

  it('is free when the process that used it was killed', async () => {
    const first = folderOf(1);
    await first.lock();
    await first.unlock();
    const child = await listening(idOf(9));
    expect(await folderOf(2).lock()).toBe(false);
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    const next = folderOf(3);
    expect(await next.lock()).toBe(true);
    const [found] = await next.findEnded(() => undefined);
    expect(found).toEqual({ holder: idOf(9), segments: [] });
    await next.remove(found!);
    expect(readdirSync(folder)).toEqual([`${idOf(3)}.lock`]);
  });

  it('has the segments of other processes, and names those that cannot be read', async () => {
    const own = folderOf(1);
    await own.lock();
    const write = (name: string, text: string): void => {
      writeFileSync(path.join(folder, name), text);
    };
    write(`${idOf(1)}-1.journal`, encodeRecord(1, 'own'));
    write(`${idOf(2)}-1.journal`, encodeRecord(1, 'left'));
    write(`${idOf(3)}-1.journal`, encodeRecord(1, 'readable'));
    mkdirSync(path.join(folder, `${idOf(3)}-2.journal`));
    write('notes.txt', 'something else');
    const unreadable: string[] = [];
    const found = await own.findEnded((holder) => unreadable.push(holder));
    expect(found.map(({ holder, segments }) => [holder, segments.map(({ entries }) => entries)])).toEqual([
      [idOf(2), [['left']]],
    ]);
    expect(unreadable).toEqual([idOf(3)]);
  });

  it('takes no process for ended that tries to lock it, or has just tried', async () => {
    const own = folderOf(1);
    await own.lock();
    const child = await listening(idOf(9));
    const names = [`${idOf(8)}.lock`, ...readdirSync(folder)];
    const readdir = jest.spyOn(promises, 'readdir').mockResolvedValue(names as never);
    expect(await own.findEnded(() => undefined)).toEqual([]);
    readdir.mockRestore();
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    expect(await own.findEnded(() => undefined)).toEqual([{ holder: idOf(9), segments: [] }]);
  });

  it('takes no other file for a lock or a segment', async () => {
    mkdirSync(folder, { recursive: true });
    for (const name of ['other.lock', `${'-'.repeat(36)}.lock`, `${'-'.repeat(36)}-1.journal`])
      writeFileSync(path.join(folder, name), '');
    const own = folderOf(1);
    await own.lock();
    expect(await own.findEnded(() => undefined)).toEqual([]);
  });

  it('is not locked while a slow disk has not said whether another process uses it', async () => {
    const own = folderOf(2, 50);
    let answer: (names: string[]) => void = () => undefined;
    const names = new Promise<string[]>((resolve) => (answer = resolve));
    const readdir = jest.spyOn(promises, 'readdir').mockReturnValueOnce(names as never);
    await expect(own.lock()).rejects.toThrow('the disk has not answered');
    await expect(own.lock()).rejects.toThrow('the disk hangs');
    answer([]);
    readdir.mockRestore();
    await new Promise(setImmediate);
    while (!(await own.lock().catch(() => false))) await new Promise(setImmediate);
    expect(await own.isIntact()).toBe(true);
  });

  it('looks for others again when it could not', async () => {
    await folderOf(1).lock();
    const own = folderOf(2);
    const readdir = jest.spyOn(promises, 'readdir').mockRejectedValueOnce(new Error('EIO'));
    await expect(own.lock()).rejects.toThrow('EIO');
    readdir.mockRestore();
    expect(await own.lock()).toBe(false);
  });

  it('gives a disk up that hangs, and begins nothing else there until it answers', async () => {
    const own = folderOf(1, 1_000);
    await own.lock();
    const pipe = path.join(folder, `${idOf(2)}-1.journal`);
    spawnSync('mkfifo', [pipe]);
    writeFileSync(path.join(folder, `${idOf(3)}-1.journal`), encodeRecord(1, 'readable'));
    const unreadable: string[] = [];
    expect(await own.findEnded((holder) => unreadable.push(holder))).toEqual([]);
    expect([unreadable, await own.isIntact()]).toEqual([[idOf(2), idOf(3)], false]);
    closeSync(openSync(pipe, 'w'));
    while (!(await own.isIntact())) await new Promise(setImmediate);
  });

  /** The first operation of this kind hangs until its disk is told to answer. */
  const hang = (operation: 'open' | 'rm' | 'stat'): (() => void) => {
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const actual = promises[operation] as (...of: unknown[]) => Promise<unknown>;
    const spy = jest
      .spyOn(promises, operation)
      .mockImplementationOnce((...of: unknown[]) => answered.then(() => actual(...of)) as never);
    return () => {
      spy.mockRestore();
      answer();
    };
  };

  it('creates no socket while the disk hangs, and is locked when it answers', async () => {
    const own = folderOf(1, 50);
    const answer = hang('rm');
    await expect(own.lock()).rejects.toThrow('the disk has not answered');
    expect(readdirSync(folder)).toEqual(['probe']);
    answer();
    while (!(await own.lock().catch(() => false))) await new Promise(setImmediate);
    expect(readdirSync(folder)).toEqual([`${idOf(1)}.lock`]);
  });

  it('removes no socket while the disk hangs, and can be locked again when it answers', async () => {
    const own = folderOf(1);
    await own.lock();
    const answer = hang('open');
    await own.unlock();
    expect([readdirSync(folder), await own.isIntact(), await folderOf(2).lock()]).toEqual([
      [`${idOf(1)}.lock`],
      false,
      false,
    ]);
    answer();
    while (!(await own.lock().catch(() => false))) await new Promise(setImmediate);
    expect(await own.isIntact()).toBe(true);
    await own.unlock();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('connects to no socket of another process while the disk hangs', async () => {
    const own = folderOf(1, 50);
    await own.lock();
    writeFileSync(path.join(folder, `${idOf(2)}-1.journal`), encodeRecord(1, 'left'));
    const answer = hang('stat');
    await expect(own.findEnded(() => undefined)).rejects.toThrow('the disk has not answered');
    answer();
  });

  it('can be locked on a disk that has no room for a probe', async () => {
    const open = jest.spyOn(promises, 'open').mockRejectedValueOnce(new Error('ENOSPC'));
    expect(await folderOf(1).lock()).toBe(true);
    open.mockRestore();
  });

  it('is no longer intact when it is removed', async () => {
    const own = folderOf(1);
    await own.lock();
    rmSync(folder, { recursive: true });
    expect(await own.isIntact()).toBe(false);
  });

  it('keeps what is set aside', async () => {
    const own = folderOf(1);
    await own.lock();
    await own.setAside(idOf(2), ['one']);
    await own.setAside(idOf(2), ['two', 'three']);
    expect(readFileSync(path.join(folder, `${idOf(2)}.set-aside`), 'utf8')).toBe('one\ntwo\nthree\n');
  });
});
