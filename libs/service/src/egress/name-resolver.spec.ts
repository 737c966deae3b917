import { createSocket, type Socket } from 'node:dgram';
import { readFile } from 'node:fs/promises';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '@switchyard/testing';
import { NameResolver } from './name-resolver';

/** Answers questions for A records of names that begin with "known" with 192.0.2.7, others with "no such name". */
function answerTo(question: Buffer): Buffer {
  const name = question.subarray(12).toString('latin1');
  const end = question.indexOf(0, 12) + 5;
  const isAddress = question.readUInt16BE(end - 4) === 1;
  const exists = /^.known/.test(name);
  const isListed = exists && isAddress;
  const head = Buffer.from(question.subarray(0, end));
  head.writeUInt16BE(exists ? 0x81_80 : 0x81_83, 2);
  head.writeUInt16BE(isListed ? 1 : 0, 6);
  head.writeUInt32BE(0, 8);
  return isListed ? Buffer.concat([head, Buffer.from('c00c000100010000000a0004c0000207', 'hex')]) : head;
}

describe('names of addresses of users', () => {
  const closing: (() => void)[] = [];
  const queries: string[] = [];

  const nameserver = async (answers: boolean): Promise<string> => {
    const socket: Socket = createSocket('udp4');
    socket.on('message', (question, { port, address }) => {
      queries.push(question.subarray(13, 13 + (question[12] ?? 0)).toString());
      if (answers) socket.send(answerTo(question), port, address);
    });
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    closing.push(() => {
      socket.close();
    });
    return `127.0.0.1:${socket.address().port}`;
  };

  beforeEach(() => {
    queries.length = 0;
  });

  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  it('are asked for once, and known for a while', async () => {
    const names = new NameResolver({ servers: [await nameserver(true)] });
    const expected = [{ address: '192.0.2.7', family: 4 }];
    expect(await names.resolve('known.example', 'a')).toEqual(expected);
    expect(await names.resolve('KNOWN.example.', 'b')).toEqual(expected);
    expect(queries).toEqual(['known', 'known']);
  });

  it('that do not exist are said to, and not asked for again at once', async () => {
    const names = new NameResolver({ servers: [await nameserver(true)] });
    for (let tries = 0; tries < 3; tries += 1)
      await expect(names.resolve('nothing.example', 'a')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(queries).toHaveLength(2);
  });

  it('whose nameservers are silent end in time, hold no thread, and are not asked for again at once', async () => {
    const names = new NameResolver({ servers: [await nameserver(false)], timeoutMs: 3000 });
    const silent = Array.from({ length: 32 }, (_, at) =>
      names.resolve(`silent${at}.example`, 'a').catch((e: unknown) => e),
    );
    // Files are read by the threads that getaddrinfo would hold.
    expect(await readFile(__filename, 'utf8')).toContain('silent');
    expect(names.figures.used).toBe(32);
    for (const failure of await Promise.all(silent)) expect(failure).toMatchObject({ code: 'TIMEOUT' });
    const before = queries.length;
    await expect(names.resolve('silent0.example', 'b')).rejects.toMatchObject({ code: 'TIMEOUT' });
    expect(queries).toHaveLength(before);
  });

  it('of one Space leave places for others, and too many of them are refused', async () => {
    const names = new NameResolver({ servers: [await nameserver(false)], timeoutMs: 2000 });
    const many = Array.from({ length: 500 }, (_, at) => names.resolve(`n${at}.example`, 'a').catch((e: unknown) => e));
    expect(names.figures.refused).toBeGreaterThan(50);
    await until(() => queries.length > 100);
    const other = names.resolve('other.example', 'b').catch((e: unknown) => e);
    expect(await other).toMatchObject({ code: 'TIMEOUT' });
    expect(queries).toContain('other');
    await Promise.all(many);
  });

  it('wait for a place by the share of each, and not behind another who asks for the same name', async () => {
    const names = new NameResolver({ servers: [await nameserver(false)], timeoutMs: 500 });
    const many = Array.from({ length: 250 }, (_, at) => names.resolve(`n${at}.example`, 'a').catch((e: unknown) => e));
    const { used } = names.figures;
    expect(names.figures.waiting).toBe(250 - used);
    const again = names.resolve('n249.example', 'a').catch((e: unknown) => e);
    expect(names.figures.waiting).toBe(250 - used);
    const other = names.resolve('n249.example', 'b').catch((e: unknown) => e);
    expect(names.figures.used).toBe(used + 1);
    await Promise.all([...many, again, other]);
  });

  it('that are longer than any name are not asked for', async () => {
    const names = new NameResolver({ servers: [await nameserver(true)] });
    const name = `known.${'a.'.repeat(123)}b`;
    expect(name).toHaveLength(253);
    await names.resolve(name, 'a');
    const before = queries.length;
    await expect(names.resolve(`${name}.c`, 'a')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(queries).toHaveLength(before);
  });

  it('of the machine itself need no nameserver', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'names-'));
    closing.push(() => {
      rmSync(folder, { recursive: true });
    });
    const hostsFile = path.join(folder, 'hosts');
    writeFileSync(hostsFile, '# local\n10.0.0.7  crm crm.internal # ours\nfd00::7 crm\nnonsense line\n');
    const names = new NameResolver({ servers: [await nameserver(false)], hostsFile });
    expect(await names.resolve('CRM', 'a')).toEqual([
      { address: '10.0.0.7', family: 4 },
      { address: 'fd00::7', family: 6 },
    ]);
    expect(await names.resolve('crm.internal', 'a')).toHaveLength(1);
    expect(await names.resolve('localhost', 'a')).toContainEqual({ address: '127.0.0.1', family: 4 });
    expect(await names.resolve('a.localhost', 'a')).toContainEqual({ address: '::1', family: 6 });
    expect(queries).toEqual([]);
  });

  it('get the domains of the machine where private addresses are allowed', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'names-'));
    closing.push(() => {
      rmSync(folder, { recursive: true });
    });
    const resolvFile = path.join(folder, 'resolv.conf');
    writeFileSync(resolvFile, 'nameserver 10.0.0.1\nsearch known.example\n');
    const servers = [await nameserver(true)];
    const short = new NameResolver({ servers, resolvFile, searches: true });
    // The nameserver knows what begins with "known".
    writeFileSync(resolvFile, 'search svc.example\n');
    await expect(short.resolve('crm', 'a')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(queries).toEqual(['crm', 'crm', 'crm', 'crm']);
    await expect(new NameResolver({ servers, resolvFile }).resolve('crm', 'a')).rejects.toThrow();
    expect(queries).toHaveLength(6);
  });
});
