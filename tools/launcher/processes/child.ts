import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { LogFiles } from './log-file';

export interface ChildOptions {
  name: string;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Where its output goes: one file, or that of each line. */
  logFile: string | ((line: string) => string);
  /** Runs as this user; only root may ask for it. */
  user?: { uid: number; gid: number };
  onLine?: (line: string) => void;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

const lineLimit = 40;

/** One running process: its output goes to its log file, its last lines are remembered for the error message. */
export class Child {
  readonly name: string;
  readonly exited: Promise<Exit>;
  private readonly process: ChildProcess;
  private readonly lastLines: string[] = [];
  private readonly signals = new Set<NodeJS.Signals>();
  private exit: Exit | undefined;

  constructor(options: ChildOptions) {
    this.name = options.name;
    const logs = new LogFiles(options.logFile);
    // Own process group: Ctrl-C reaches the launcher alone, which then stops everything in the right order.
    this.process = spawn(options.command, options.args, {
      cwd: options.cwd,
      env: options.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...options.user,
    });
    const onData = (line: string): void => {
      this.lastLines.push(line);
      if (this.lastLines.length > lineLimit) this.lastLines.shift();
      logs.write(line);
      options.onLine?.(line);
    };
    const closed = [this.process.stdout, this.process.stderr].map((stream) => eachLine(stream, onData));
    this.exited = new Promise<Exit>((resolve) => {
      this.process.once('error', (error) => {
        onData(`${options.command}: ${error.message}`);
        resolve({ code: 127, signal: null });
      });
      this.process.once('exit', (code, signal) => resolve({ code, signal }));
    }).then((exit) => (this.exit = exit));
    void this.exited.then(() => Promise.all(closed)).finally(() => logs.close());
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  get hasExited(): boolean {
    return this.exit !== undefined;
  }

  /** Whether it has ended without an error, or of a signal that asked it to end. After SIGKILL it may have lost work. */
  get hasEndedInOrder(): boolean {
    if (!this.exit) return false;
    const { code, signal } = this.exit;
    return signal === null ? code === 0 : signal !== 'SIGKILL' && this.signals.has(signal);
  }

  tail(lines = 8): string {
    return this.lastLines.slice(-lines).join('\n');
  }

  signal(signal: NodeJS.Signals): void {
    if (this.hasExited) return;
    this.signals.add(signal);
    this.process.kill(signal);
  }

  /** Asks it to end, and after `graceMs` makes it. Resolves when it is gone. */
  async stop(signal: NodeJS.Signals, graceMs: number): Promise<Exit> {
    this.signal(signal);
    const timer = setTimeout(() => this.signal('SIGKILL'), graceMs);
    try {
      return await this.exited;
    } finally {
      clearTimeout(timer);
    }
  }
}

function eachLine(stream: Readable | null, onData: (line: string) => void): Promise<void> {
  if (!stream) return Promise.resolve();
  const lines = createInterface({ input: stream, crlfDelay: Infinity });
  lines.on('line', onData);
  return new Promise((resolve) => lines.once('close', resolve));
}
