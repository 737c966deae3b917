export interface DependencyState {
  up: boolean;
  /** Whether the service can do its work without it. */
  required: boolean;
  /** The error, if known. */
  detail?: string;
}

interface Dependency {
  check: Check;
  required: boolean;
  detail?: () => string | undefined;
}

type Check = () => boolean | Promise<boolean>;

const CHECK_TIMEOUT_MS = 1000;

/** Alive while the process runs; ready while every dependency that it cannot do without answers. */
export class Health {
  private readonly checks = new Map<string, Dependency>();
  private stopping = false;
  private started = false;

  get hasStarted(): boolean {
    return this.started;
  }

  add(name: string, check: Check, required: boolean, detail?: Dependency['detail']): void {
    this.checks.set(name, { check, required, detail });
  }

  markStarted(): void {
    this.started = true;
  }

  /** From now on not ready: new work goes to other replicas. */
  markStopping(): void {
    this.stopping = true;
  }

  async report(): Promise<{ ready: boolean; dependencies: Record<string, DependencyState> }> {
    const dependencies: Record<string, DependencyState> = {};
    await Promise.all(
      [...this.checks].map(async ([name, { check, required, detail }]) => {
        const late = new Promise<boolean>((resolve) => {
          setTimeout(() => {
            resolve(false);
          }, CHECK_TIMEOUT_MS).unref();
        });
        const up = await Promise.race([Promise.resolve().then(check), late]).catch(() => false);
        const problem = up ? undefined : detail?.();
        dependencies[name] = { up, required, ...(problem === undefined ? {} : { detail: problem }) };
      }),
    );
    const missing = Object.values(dependencies).some(({ up, required }) => required && !up);
    return { ready: this.started && !this.stopping && !missing, dependencies };
  }
}
