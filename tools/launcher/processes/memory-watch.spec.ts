import { type OverMemory, MemoryWatch } from './memory-watch';

describe('the memory watch', () => {
  it('reports each process that was above its limit once, and its successor again', () => {
    const peaks: Record<number, number> = { 1: 447, 2: 700.4, 3: 449 };
    let pidOfAgent = 1;
    const found: OverMemory[] = [];
    const watch = new MemoryWatch(
      () => [
        { name: 'agent', pid: pidOfAgent, limitMi: 448 },
        { name: 'relay', pid: 2, limitMi: 640 },
        { name: 'task', pid: undefined, limitMi: 448 },
      ],
      (over) => found.push(over),
      (pid) => peaks[pid] ?? 0,
    );
    watch.look();
    watch.look();
    expect(found).toEqual([{ name: 'relay', peakMi: 700, limitMi: 640 }]);
    peaks[1] = 450;
    watch.look();
    pidOfAgent = 3;
    watch.look();
    expect(found.slice(1)).toEqual([
      { name: 'agent', peakMi: 450, limitMi: 448 },
      { name: 'agent', peakMi: 449, limitMi: 448 },
    ]);
  });

  it('reads the peak of a running process from the system', () => {
    const found: OverMemory[] = [];
    new MemoryWatch(
      () => [{ name: 'this', pid: process.pid, limitMi: 1 }],
      (over) => found.push(over),
    ).look();
    expect(found[0]?.peakMi).toBeGreaterThan(10);
  });
});
