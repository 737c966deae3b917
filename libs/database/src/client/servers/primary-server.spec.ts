import { type ServerLine, PrimaryServer } from './primary-server';

type Behaviour = { timeline: string } | 'reads' | 'away' | 'silent';

const [ONE, TWO] = ['postgres://one:1/x', 'postgres://two:2/x'];

function sceneOf(
  one: Behaviour,
  two: Behaviour,
): { servers: PrimaryServer; behaviours: Record<string, Behaviour>; probed: string[] } {
  const behaviours: Record<string, Behaviour> = { [ONE]: one, [TWO]: two };
  const probed: string[] = [];
  const ask = async (url: string): Promise<{ url: string; timeline: string } | null> => {
    probed.push(url);
    await Promise.resolve();
    const behaviour = behaviours[url] ?? 'away';
    if (behaviour === 'away') throw new Error('refused');
    if (behaviour === 'silent') return new Promise(() => undefined);
    return behaviour === 'reads' ? null : { url, ...behaviour };
  };
  return { servers: new PrimaryServer('postgres://one:1,two:2/x', 'test', undefined, ask), behaviours, probed };
}

const lineTo = (url: string): ServerLine & { isBroken: boolean } => {
  const line = { url, isBroken: false, breakOff: () => void (line.isBroken = true) };
  return line;
};

describe('several servers of one database', () => {
  it('are asked once, by however many at a time, until there is a doubt', async () => {
    const { servers, probed } = sceneOf('reads', { timeline: '00000001' });
    expect(await Promise.all([servers.writable(), servers.writable()])).toEqual([TWO, TWO]);
    expect(await servers.writable()).toBe(TWO);
    expect(probed).toEqual([ONE, TWO]);
    servers.noteFailure();
    await servers.writable();
    expect(probed).toHaveLength(4);
  });

  it('are left for the one that was promoted, and lines to the others are broken off', async () => {
    const { servers, behaviours } = sceneOf({ timeline: '00000009' }, 'reads');
    await servers.writable();
    const lines = [lineTo(ONE), lineTo(TWO)];
    for (const line of lines) servers.hold(line);
    behaviours[ONE] = 'away';
    behaviours[TWO] = { timeline: '0000000A' };
    servers.noteFailure();
    expect(await servers.writable()).toBe(TWO);
    expect(lines.map(({ isBroken }) => isBroken)).toEqual([true, false]);
  });

  it('are told apart when one of before is back', async () => {
    const { servers } = sceneOf({ timeline: '00000009' }, { timeline: '0000000A' });
    expect(await servers.writable()).toBe(TWO);
  });

  it('need not all answer', async () => {
    const { servers, behaviours } = sceneOf('reads', { timeline: '00000001' });
    await servers.writable();
    behaviours[ONE] = 'silent';
    servers.noteFailure();
    expect(await servers.writable()).toBe(TWO);
  });

  it('are not left for a primary of before, even where the right one is silent', async () => {
    const { servers, behaviours } = sceneOf('away', { timeline: '00000002' });
    await servers.writable();
    const line = lineTo(TWO);
    servers.hold(line);
    behaviours[ONE] = { timeline: '00000001' };
    behaviours[TWO] = 'away';
    servers.noteFailure();
    await expect(servers.writable()).rejects.toMatchObject({ code: '57P03' });
    expect(line.isBroken).toBe(false);
    behaviours[TWO] = { timeline: '00000002' };
    expect(await servers.writable()).toBe(TWO);
  });

  it('are not changed for another address of the same one', async () => {
    const { servers, behaviours } = sceneOf('away', { timeline: '00000001' });
    await servers.writable();
    behaviours[ONE] = { timeline: '00000001' };
    servers.noteFailure();
    expect(await servers.writable()).toBe(TWO);
  });

  it('are asked again after a doubt that came while they were asked', async () => {
    const { servers, probed } = sceneOf('reads', { timeline: '00000001' });
    const asking = servers.writable();
    servers.noteFailure();
    await asking;
    await servers.writable();
    expect(probed).toHaveLength(4);
  });

  it('are away when none takes writes', async () => {
    const { servers, behaviours } = sceneOf('reads', 'away');
    await expect(servers.writable()).rejects.toMatchObject({ code: '57P03' });
    behaviours[ONE] = { timeline: '00000002' };
    expect(await servers.writable()).toBe(ONE);
  });
});

it('asks nothing of a server that is the only one', async () => {
  const never = (): Promise<null> => Promise.reject(new Error('asked'));
  const primaryServer = new PrimaryServer(ONE, 'test', undefined, never);
  primaryServer.noteFailure();
  expect(await primaryServer.writable()).toBe(ONE);
});
