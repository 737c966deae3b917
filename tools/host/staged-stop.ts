import { stopOrder } from '../launcher/stop-order';

type Stop = () => Promise<void>;

/** Stops a service also if it still starts: when it has started, it may have work already. */
export const stopOf =
  (starting: Promise<{ stop: Stop }>): Stop =>
  async () =>
    (await starting).stop();

/** Stops the services of a host in the order in which the launcher stops processes, and each once. */
export class StagedStop {
  private readonly stopping = new Map<string, Promise<unknown>>();
  private readonly errors: unknown[] = [];
  private readonly groups: string[][];

  constructor(private readonly services: ReadonlyMap<string, Stop>) {
    this.groups = stopOrder([...services.keys()], new Set());
  }

  get hasBegun(): boolean {
    return this.stopping.size > 0;
  }

  async allButLast(): Promise<void> {
    for (const group of this.groups.slice(0, -1)) await this.stop(group);
  }

  /** Rejects when all have ended, if one of them could not be stopped in order. */
  async all(): Promise<void> {
    for (const group of this.groups) await this.stop(group);
    if (this.errors.length > 0) throw this.errors[0];
  }

  private async stop(names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => this.stopOnce(name)));
  }

  private stopOnce(name: string): Promise<unknown> {
    const stopping =
      this.stopping.get(name) ??
      this.services
        .get(name)?.()
        .catch((error: unknown) => this.errors.push(error));
    if (stopping) this.stopping.set(name, stopping);
    return stopping ?? Promise.resolve();
  }
}
