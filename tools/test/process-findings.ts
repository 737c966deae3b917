import type { OverMemory } from '../launcher/processes/memory-watch';

interface StallRecord {
  time: string;
  eventLoopStall?: { wallMs: number; cpuMs: number; stacks: string[] };
}

interface Stall {
  process: string;
  time: string;
  wallMs: number;
  cpuMs: number;
  stacks: string[];
}

const MARK = '"eventLoopStall":';

/** Problems of the processes of a run: event loop stalls, memory over the limit. */
export class ProcessFindings {
  private readonly stalls: Stall[] = [];
  private readonly over: OverMemory[] = [];

  /** A line of a service's log. */
  hear(process: string, line: string): void {
    if (!line.includes(MARK)) return;
    const { time, eventLoopStall } = JSON.parse(line) as StallRecord;
    if (eventLoopStall) this.stalls.push({ process, time, ...eventLoopStall });
  }

  overMemory(found: OverMemory): void {
    this.over.push(found);
  }

  get isEmpty(): boolean {
    return this.stalls.length === 0 && this.over.length === 0;
  }

  lines(): string[] {
    const stalls = this.stalls.flatMap(({ process, time, wallMs, cpuMs, stacks }) => [
      `STALL: ${process} held its event loop for ${wallMs} ms (${cpuMs} ms of processor time) at ${time}`,
      ...stacks
        .map((stack) => stack.replaceAll(/^ */gm, '    '))
        .join('\n    or\n')
        .split('\n'),
    ]);
    const over = this.over.map(
      ({ name, peakMi, limitMi }) => `MEMORY: ${name} took ${peakMi} MiB, and its limit is ${limitMi} MiB`,
    );
    return [...stalls, ...over];
  }
}
