import { type WatchedConnection, ConnectionWatchdog, type Report } from './connection-watchdog';

interface WatchScene {
  watch: ConnectionWatchdog;
  broken: number[];
  probed: number[][];
  isBroken: () => boolean;
  pass: (ms: number) => Promise<void>;
  query: (query: object | null | undefined) => void;
}

function sceneWith(report: () => Report): WatchScene {
  let now = 0;
  let active: object | null | undefined = {};
  let isBroken = false;
  const broken: number[] = [];
  const probed: number[][] = [];
  const stream = {
    destroy: () => {
      isBroken = true;
      active = null;
    },
  };
  const line: WatchedConnection = { processID: 7, _getActiveQuery: () => active, connection: { stream } };
  const ask = (sessions: readonly number[]): Promise<Report> => {
    probed.push([...sessions]);
    return Promise.resolve(report());
  };
  const watch = new ConnectionWatchdog(
    () => [line],
    ask,
    (ms) => broken.push(ms),
    () => now,
  );
  const pass = async (ms: number): Promise<void> => {
    for (const end = now + ms; now < end; now += 1000) await watch.round();
  };
  return { watch, broken, probed, isBroken: () => isBroken, pass, query: (query) => (active = query) };
}

describe('the watch over lines', () => {
  it('sends no probe while answers come', async () => {
    const scene = sceneWith(() => 'unreachable');
    for (let i = 0; i < 10; i += 1) {
      scene.query({});
      await scene.pass(2000);
    }
    expect({ asked: scene.probed, isGone: scene.isBroken() }).toEqual({ asked: [], isGone: false });
  });

  it('does not ask about a new connection that has sent no query yet', async () => {
    const scene = sceneWith(() => 'unreachable');
    scene.query(undefined);
    await scene.pass(10_000);
    expect({ asked: scene.probed, isGone: scene.isBroken() }).toEqual({ asked: [], isGone: false });
  });

  it('leaves a statement alone that the server is busy with, however long', async () => {
    const scene = sceneWith(() => ({ busy: new Set([7]) }));
    await scene.pass(60_000);
    expect(scene.isBroken()).toBe(false);
  });

  it('gives a line up when the server has twice said that it does nothing for it', async () => {
    const scene = sceneWith(() => ({ busy: new Set([8]) }));
    await scene.pass(4000);
    expect({ asked: scene.probed, isGone: scene.isBroken() }).toEqual({ asked: [[7]], isGone: false });
    await scene.pass(1000);
    expect({ lost: scene.broken, isGone: scene.isBroken() }).toEqual({ lost: [4000], isGone: true });
  });

  it('holds against a statement nothing that was said of the one before', async () => {
    const scene = sceneWith(() => ({ busy: new Set() }));
    await scene.pass(4000);
    scene.query({});
    await scene.pass(4000);
    expect(scene.isBroken()).toBe(false);
  });

  it('gives a line up when the server cannot be reached', async () => {
    const scene = sceneWith(() => 'unreachable');
    await scene.pass(4000);
    expect(scene.isBroken()).toBe(true);
  });

  it('gives up nothing on an answer that proves nothing', async () => {
    const scene = sceneWith(() => null);
    await scene.pass(60_000);
    expect(scene.isBroken()).toBe(false);
  });
});
