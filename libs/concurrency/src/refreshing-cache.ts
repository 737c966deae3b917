import { upToBytes, upToEntries } from '@switchyard/kernel';
import { LRUCache } from 'lru-cache';
import { SingleFlight } from './single-flight';

export interface CacheAges {
  /** Up to this age a value is returned without waiting. */
  freshMs: number;
  /** From this age on a value is loaded again in the background. Default: `freshMs`, which renews nothing ahead. */
  renewMs?: number;
  /** Up to this age a value is returned if its load fails. Default: `freshMs`. */
  staleMs?: number;
  /** No load begins within this time of one that failed: callers get the older value, or the same error. */
  retryAfterMs?: number;
}

export interface CacheOptions<Value> extends CacheAges {
  maxBytes?: number;
  /** Size of a value. Default: that of its JSON. */
  bytesOf?: (value: Value) => number;
  now?: () => number;
}

interface CachedValue<Value> {
  value: Value;
  /** When its load began: later changes may be missing in it. */
  at: number;
  isExpired: boolean;
}

interface FailedLoad {
  error: Error;
  until: number;
}

const MAX_BYTES = 16 * 1024 * 1024;
const MAX_FAILURES = 1_000;
const ignore = (): void => undefined;

/**
 * Values of another service or the database, by key, up to a number of bytes.
 *
 * | age of a value       | a caller gets                                        |
 * | -------------------- | ---------------------------------------------------- |
 * | up to `renewMs`      | the value                                            |
 * | up to `freshMs`      | the value; it is loaded again in the background      |
 * | up to `staleMs`      | a new value, or the older one if the load fails      |
 * | above, or none       | a new value, or the error of the load                |
 *
 * Callers at the same time share a load. A load may return null if `Nothing` is null; that is not stored.
 *
 * `fetchMethod` of lru-cache does not fit: it has no bound for stale values, answers each hit in a later tick, and
 * stores a load that a `delete` overtook.
 */
export class RefreshingCache<Value extends object | string | number | boolean, Nothing extends null = never> {
  private readonly entries: LRUCache<string, CachedValue<Value>>;
  private readonly failures: LRUCache<string, FailedLoad> | undefined;
  private readonly loads = new SingleFlight<Value | Nothing>();
  private readonly freshMs: number;
  private readonly renewMs: number;
  private readonly staleMs: number;
  private readonly retryAfterMs: number;
  private readonly now: () => number;
  private allExpiredAt = -Infinity;

  constructor({ freshMs, renewMs, staleMs, retryAfterMs, maxBytes, bytesOf, now }: CacheOptions<Value>) {
    this.freshMs = freshMs;
    this.renewMs = renewMs ?? freshMs;
    this.staleMs = staleMs ?? freshMs;
    this.retryAfterMs = retryAfterMs ?? 0;
    this.now = now ?? (() => performance.now());
    this.entries = new LRUCache(
      upToBytes<CachedValue<Value>>(maxBytes ?? MAX_BYTES, bytesOf && (({ value }) => bytesOf(value))),
    );
    if (this.retryAfterMs > 0) this.failures = new LRUCache(upToEntries(MAX_FAILURES));
  }

  /** Bytes of all values, about. */
  get bytes(): number {
    return this.entries.calculatedSize;
  }

  /** The value itself if it is fresh. `load` gets whether an older value is returned should it fail. */
  get(key: string, load: (hasOlder: boolean) => Promise<Value | Nothing>): Value | Promise<Value | Nothing> {
    const entry = this.entries.get(key);
    if (!entry) {
      const failure = this.failureOf(key);
      return failure ? rejected(failure) : this.loadOrJoin(key, load);
    }
    const age = this.now() - entry.at;
    const isExpired = entry.isExpired || entry.at <= this.allExpiredAt;
    if (age < this.renewMs && !isExpired) return entry.value;
    const hasOlder = age < this.staleMs;
    const failure = this.failureOf(key);
    if (failure) return hasOlder ? entry.value : rejected(failure);
    const loading = this.load(key, () => load(hasOlder));
    if (!isExpired && age < this.freshMs) {
      loading.catch(ignore);
      return entry.value;
    }
    if (!hasOlder) return loading;
    return loading.catch((error: unknown) => {
      // A value that was deleted meanwhile is not returned any more.
      const current = this.entries.peek(key);
      if (!current) throw error;
      return current.value;
    });
  }

  /** The stored value, however old it is. */
  peek(key: string): Value | undefined {
    return this.entries.get(key)?.value;
  }

  /** A value to go on with until a load succeeds. */
  setExpired(key: string, value: Value): void {
    this.entries.set(key, { value, at: this.now(), isExpired: true });
  }

  /** It has changed: the next caller loads it, and joins no load that began before. */
  delete(key: string): void {
    this.entries.delete(key);
    this.failures?.delete(key);
    this.loads.detach(key);
  }

  /** As `delete`, but the older value is still returned if the next load fails. */
  expire(key: string): void {
    const entry = this.entries.get(key);
    if (entry) entry.isExpired = true;
    this.failures?.delete(key);
    this.loads.detach(key);
  }

  /** Changes may have been missed: as `expire` of all keys. */
  expireAll(): void {
    this.allExpiredAt = this.now();
    this.failures?.clear();
    this.loads.detachAll();
  }

  /** As `delete` of all keys. */
  clear(): void {
    this.entries.clear();
    this.failures?.clear();
    this.loads.detachAll();
  }

  /** If a load under way finds nothing, it may have begun too early for this caller: look once more. */
  private loadOrJoin(key: string, load: (hasOlder: boolean) => Promise<Value | Nothing>): Promise<Value | Nothing> {
    const begin = (): Promise<Value | Nothing> => this.load(key, () => load(false));
    const shared = this.loads.get(key);
    return shared ? shared.then((value) => value ?? begin()) : begin();
  }

  private load(key: string, load: () => Promise<Value | Nothing>): Promise<Value | Nothing> {
    const at = this.now();
    const loading: Promise<Value | Nothing> = this.loads.run(key, () =>
      load().then(
        (value) => {
          // Not if the key was deleted or expired meanwhile.
          if (this.loads.get(key) === loading) this.store(key, value, at);
          return value;
        },
        (error: unknown) => {
          if (this.loads.get(key) === loading)
            this.failures?.set(key, { error: error as Error, until: this.now() + this.retryAfterMs });
          throw error;
        },
      ),
    );
    return loading;
  }

  private store(key: string, value: Value | Nothing, at: number): void {
    this.failures?.delete(key);
    if (value === null) this.entries.delete(key);
    else this.entries.set(key, { value, at, isExpired: false });
  }

  private failureOf(key: string): FailedLoad | undefined {
    const failure = this.failures?.get(key);
    return failure && failure.until > this.now() ? failure : undefined;
  }
}

const rejected = ({ error }: FailedLoad): Promise<never> => Promise.reject(error);
