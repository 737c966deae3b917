import { upToBytes } from '@switchyard/kernel';
import { LRUCache } from 'lru-cache';
import { SharedLoads } from './shared-loads';

/** What nobody has said to be void is believed for this long; who loses the line to the others believes nothing. */
const KEEP_MS = 10_000;
/** Agents have prompts, tools and schemas of up to a megabyte. */
const MOST_BYTES = 48 * 1024 * 1024;

/** Loads as `SharedLoads` does, and keeps what came until somebody says that it has changed. */
export class KeptLoads<T extends object> {
  private readonly loads = new SharedLoads<T | null>();
  private readonly kept = new LRUCache<string, T>({ ...upToBytes<T>(MOST_BYTES), ttl: KEEP_MS });
  /** Counts what was said to be void: a load that began before must not be kept. */
  private changes = 0;

  load(key: string, read: () => Promise<T | null>): T | Promise<T | null> {
    return this.kept.get(key) ?? this.fetch(key, read);
  }

  /** It has changed: what is kept of it, and what is just being read, is void. */
  forget(key: string): void {
    this.changes += 1;
    this.kept.delete(key);
  }

  forgetAll(): void {
    this.changes += 1;
    this.kept.clear();
  }

  private async fetch(key: string, read: () => Promise<T | null>): Promise<T | null> {
    const seen = this.changes;
    const found = await this.loads.load(key, read);
    if (found && seen === this.changes) this.kept.set(key, found);
    return found;
  }
}
