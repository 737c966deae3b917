import { CompletionUsage } from '@switchyard/contracts';
import { Candidate } from '../domain/catalogue';
import { TokenCounts, costOf, usageOf } from '../domain/pricing';
import type { TracedOutput } from '../domain/traced-messages';
import { ReportedUsage, plausibleUsage } from '../domain/upstream-usage';
import { TokenReservation, CallOutcome } from './token-reservation';
import type { ModelCallWatch } from './model-call-metrics';

export interface Ended {
  /** The candidate that answered; null if none did. */
  candidate: Candidate | null;
  /** The upstream's own count, or null. */
  usage: ReportedUsage | null;
  /** The received output, counted if the upstream reported no plausible usage. */
  written: readonly string[];
  outcome: CallOutcome;
  /** The same for the trace, where it may hold that. */
  output?: () => TracedOutput;
}

/** A model call that was let in: whom to ask, and how to pay. */
export class MeteredCall {
  /** The question is with an upstream that has not failed it. */
  isOut = false;
  private ended: Promise<CompletionUsage> | undefined;

  constructor(
    readonly candidates: readonly Candidate[],
    readonly tokenReservation: TokenReservation,
    /** Usage of the call if the upstream reports none. */
    private readonly count: (written: readonly string[]) => Promise<TokenCounts>,
    private readonly watch: ModelCallWatch,
  ) {}

  /** The upstream goes on with the trace of this call. */
  get traceparent(): string | undefined {
    return this.watch.traceparent;
  }

  /** The upstream has begun to answer. */
  answered(): void {
    this.watch.answered();
  }

  /** Pays for the call, once: later requests get the first answer. */
  settle(ended: Ended): Promise<CompletionUsage> {
    this.ended ??= this.pay(ended);
    return this.ended;
  }

  /** A client that disconnects before the answer pays for the prompt if an upstream received it. */
  async leave(isClientClosed: boolean): Promise<void> {
    if (isClientClosed && this.isOut)
      await this.settle({ candidate: null, usage: null, written: [], outcome: 'aborted' });
    else await this.release();
  }

  /** Nothing was used. Does nothing when the call is settled. */
  release(): Promise<void> {
    if (this.ended) return Promise.resolve();
    this.watch.released();
    return this.tokenReservation.release();
  }

  private async pay(ended: Ended): Promise<CompletionUsage> {
    const candidate = ended.candidate ?? this.candidates[0];
    if (!candidate) throw new Error('a call without candidates was let in');
    if (ended.usage && 'implausible' in ended.usage) this.watch.noteImplausible(candidate, ended.usage.implausible);
    const counts = plausibleUsage(ended.usage) ?? (await this.count(ended.written));
    const { model, upstream } = candidate;
    await this.tokenReservation.settle({
      counts,
      model: model.id,
      upstream: upstream.name,
      cost: costOf(model, counts),
      outcome: ended.outcome,
    });
    const usage = usageOf(model, counts);
    this.watch.settled({ candidate: ended.candidate, usage, outcome: ended.outcome, output: ended.output });
    return usage;
  }
}
