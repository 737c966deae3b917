import { setTimeout as sleep } from 'node:timers/promises';
import type { History, LoggedOperation } from './history';
import type { Random } from './random';
import type { Scene } from './scene';

export interface LoadOptions {
  emissions: number;
  callers: number;
  /** Emissions a second that are offered at most; the platform may take fewer. */
  perSecond: number;
  giveUpAt: number;
}

const PATIENCE_MS = 5000;

/** Emits, and emits again if there was no answer, as a careful client does. */
export class Load {
  accepted = 0;
  private next = 0;
  private readonly startedAt = Date.now();

  constructor(
    private readonly scene: Scene,
    private readonly history: History,
    private readonly random: Random,
    private readonly options: LoadOptions,
  ) {}

  get isOver(): boolean {
    return this.next >= this.options.emissions || Date.now() > this.options.giveUpAt;
  }

  async run(): Promise<void> {
    await Promise.all(Array.from({ length: this.options.callers }, () => this.caller()));
  }

  private async caller(): Promise<void> {
    while (!this.isOver) {
      const n = this.next;
      this.next += 1;
      const dueAt = this.startedAt + (n / this.options.perSecond) * 1000;
      if (dueAt > Date.now()) await sleep(dueAt - Date.now());
      const key = `k-${n}`;
      const payload = { n, kind: n % 2 === 0 ? 'even' : 'odd' };
      const chance = this.random.next();
      if (chance < 0.02) await this.send(`bad-${n}`, { n: -1 });
      await this.sendUntilAnswered(key, payload);
      // A careless client: the same again, and the same key for something else.
      if (chance > 0.95) await this.send(key, payload);
      if (chance > 0.98) await this.send(key, { ...payload, n: n + 1_000_000 });
    }
  }

  private async sendUntilAnswered(key: string, payload: Record<string, unknown>): Promise<void> {
    for (let attempt = 1; Date.now() < this.options.giveUpAt; attempt += 1) {
      const { outcome } = await this.send(key, payload);
      if (outcome === 'accepted' || outcome === 'duplicate') {
        this.accepted += 1;
        return;
      }
      await sleep(Math.min(1000, 50 * attempt));
    }
  }

  async send(key: string, payload: Record<string, unknown>): Promise<LoggedOperation> {
    const startedAt = Date.now();
    let status: number | null = null;
    let envelopeId: string | null = null;
    try {
      const body = { appIdentifier: this.scene.appIdentifier, event: 'tick', payload, idempotencyKey: key };
      const reply = await this.scene.app.post('/events/emit', body, { signal: AbortSignal.timeout(PATIENCE_MS) });
      status = reply.status;
      envelopeId = (reply.body as { data?: { envelopeId?: string } } | undefined)?.data?.envelopeId ?? null;
    } catch {
      // No answer: the emission may or may not have been recorded.
    }
    const operation: LoggedOperation = {
      key,
      payload,
      outcome: outcomeOf(status),
      status,
      envelopeId,
      startedAt,
      endedAt: Date.now(),
    };
    this.history.add(operation);
    return operation;
  }
}

function outcomeOf(status: number | null): LoggedOperation['outcome'] {
  if (status === 202) return 'accepted';
  if (status === 200) return 'duplicate';
  if (status === 400 || status === 409) return 'refused';
  return 'unknown';
}
