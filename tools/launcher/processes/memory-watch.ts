import { readFileSync } from 'node:fs';

export interface WatchedProcess {
  name: string;
  pid: number | undefined;
  limitMi: number;
}

export interface OverMemory {
  name: string;
  peakMi: number;
  limitMi: number;
}

const EVERY_MS = 1_000;

/** Reports a process once when its resident memory was ever above its limit: Kubernetes would have ended it there. */
export class MemoryWatch {
  private readonly reported = new Set<number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly processes: () => Iterable<WatchedProcess>,
    private readonly onOver: (found: OverMemory) => void,
    private readonly readPeakMi = peakMi,
  ) {}

  start(): void {
    this.timer = setInterval(() => this.look(), EVERY_MS).unref();
  }

  stop(): void {
    this.look();
    clearInterval(this.timer);
  }

  look(): void {
    for (const { name, pid, limitMi } of this.processes()) {
      if (pid === undefined || this.reported.has(pid)) continue;
      const peak = this.readPeakMi(pid);
      if (peak <= limitMi) continue;
      this.reported.add(pid);
      this.onOver({ name, peakMi: Math.round(peak), limitMi });
    }
  }
}

/** As Linux tells it; elsewhere no process is ever over its limit. */
function peakMi(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
