import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { until } from '@switchyard/testing';

const PROGRAM = `
  const { EventLoopMonitor } = require(${JSON.stringify(path.resolve('dist/libs/service/src/event-loop/event-loop-monitor.js'))});
  const metric = { observe() {}, inc() {} };
  const watch = new EventLoopMonitor(
    { limitMs: 200, samplesFromStart: process.env.FROM_START === 'true', startUpMs: 0 },
    { warn: (fields) => console.log(JSON.stringify(fields)) },
    { histogram: () => metric, counter: () => metric },
  );
  watch.start();
  const cpuMs = () => process.cpuUsage().user / 1000;
  function step() { let sum = 0; for (let i = 0; i < 1e5; i += 1) sum += i; return sum; }
  function holdTheLoop() { for (const end = cpuMs() + 600; cpuMs() < end;) step(); }
  function sleepInPlace() { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400); }
  function workInPieces(untilCpuMs) {
    for (const end = cpuMs() + 5; cpuMs() < end;) step();
    if (cpuMs() < untilCpuMs) setImmediate(workInPieces, untilCpuMs);
  }
  const { noteActivity } = require(${JSON.stringify(path.resolve('dist/libs/concurrency/src/index.js'))});
  function answerAMessage() { noteActivity(); setTimeout(holdTheLoop, 20); }
  const works = { message: [answerAMessage, 3000], hold: [holdTheLoop, 300], sleep: [sleepInPlace, 300], pieces: [() => workInPieces(cpuMs() + 450), 2500] };
  setInterval(...works[process.env.WORK]);
`;

interface Reported {
  eventLoopStall: { wallMs: number; cpuMs: number; stacks: string[] };
}

/** Programs of their own, on which the compiled watch looks. */
describe('the watch of the event loop', () => {
  const running: ChildProcess[] = [];
  const run = (environment: Record<string, string>): { stalls: Reported[]; rounds: () => number } => {
    const stalls: Reported[] = [];
    const startedAt = Date.now();
    const child = spawn(process.execPath, ['-e', PROGRAM], { env: { ...process.env, ...environment } });
    child.stdout.on('data', (chunk: Buffer) => {
      stalls.push(
        ...chunk
          .toString()
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Reported),
      );
    });
    running.push(child);
    return { stalls, rounds: () => Math.floor((Date.now() - startedAt) / 1000) };
  };
  // They hold a core for as long as they run.
  afterEach(() => {
    for (const child of running.splice(0)) child.kill('SIGKILL');
  });

  it.each(['true', 'false'])(
    'reports a stall with the functions that held the loop (samples from start: %s)',
    async (fromStart) => {
      const { stalls } = run({ WORK: 'hold', FROM_START: fromStart });
      const found = await until(() =>
        stalls.find(({ eventLoopStall }) => eventLoopStall.stacks.some((stack) => stack.includes('holdTheLoop'))),
      );
      expect(found.eventLoopStall.cpuMs).toBeGreaterThanOrEqual(200);
    },
  );

  it('reports what a message stalls in a process that was idle', async () => {
    const { stalls } = run({ WORK: 'message', FROM_START: 'false' });
    const found = await until(() => stalls[0]);
    expect(found.eventLoopStall.cpuMs).toBeGreaterThanOrEqual(200);
  });

  it('reports nothing of a process that was kept from running', async () => {
    const { stalls, rounds } = run({ WORK: 'sleep', FROM_START: 'true' });
    await until(() => rounds() >= 5);
    expect(stalls).toEqual([]);
  });

  it('reports nothing of an idle process that does much in small pieces', async () => {
    const { stalls, rounds } = run({ WORK: 'pieces', FROM_START: 'false' });
    await until(() => rounds() >= 9);
    expect(stalls).toEqual([]);
  });
});
