import { upToBytes } from '@switchyard/kernel';
import { LRUCache } from 'lru-cache';

interface Known<Answer> {
  answer: Answer;
  at: number;
}

interface Ages {
  /** For so long an answer is given without asking again. */
  freshMs: number;
  /** For so long it is given where asking again has failed. */
  staleMs: number;
  /** What is asked for at this age is asked for again meanwhile: who asks often never waits. */
  renewMs: number;
}

const MOST_BYTES = 16 * 1024 * 1024;
const ignore = (): void => undefined;

/** What another service has said, by the key of what was asked: asked once for all who want to know at a time. */
export class KnownAnswers<Answer> {
  private readonly known = new LRUCache<string, Known<Answer>>(upToBytes(MOST_BYTES));
  private readonly asking = new Map<string, Promise<Answer>>();
  private doubtedAt = -Infinity;

  constructor(
    private readonly ages: Ages,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** At once where it is known. `ask` hears whether there is an older answer to go on with. */
  of(key: string, ask: (isKnown: boolean) => Promise<Answer>): Answer | Promise<Answer> {
    const known = this.known.get(key);
    if (!known) return this.ask(key, () => ask(false));
    const age = this.now() - known.at;
    // What was known before counts only where asking fails.
    if (known.at <= this.doubtedAt && age < this.ages.staleMs)
      return this.ask(key, () => ask(true)).catch(() => known.answer);
    if (age < this.ages.renewMs) return known.answer;
    const asking = this.ask(key, () => ask(true));
    if (age >= this.ages.staleMs) return asking;
    if (age >= this.ages.freshMs) return asking.catch(() => known.answer);
    asking.catch(ignore);
    return known.answer;
  }

  /** It has changed: the next one asks, and does not share an answer that may be older. */
  forget(key: string): void {
    this.known.delete(key);
    this.asking.delete(key);
  }

  /** Changes may have been missed: what is known is asked for again. */
  doubtAll(): void {
    this.doubtedAt = this.now();
    // What was asked before may have been lost with its answer.
    this.asking.clear();
  }

  private ask(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const shared = this.asking.get(key);
    if (shared) return shared;
    const at = this.now();
    const asked = ask()
      .then((answer) => {
        // What was forgotten meanwhile must not be kept.
        if (this.asking.get(key) === asked) this.known.set(key, { answer, at });
        return answer;
      })
      .finally(() => {
        if (this.asking.get(key) === asked) this.asking.delete(key);
      });
    this.asking.set(key, asked);
    return asked;
  }
}
