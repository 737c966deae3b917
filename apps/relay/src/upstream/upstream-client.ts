import { Inject, Injectable } from '@nestjs/common';
import { type Clock, backoffMs, mergeFast, sleep } from '@switchyard/kernel';
import { CLOCK, Logger, Metrics, PayerCache, SETTINGS, type ServiceSettings } from '@switchyard/service';
import { errors } from 'undici';
import { Candidate } from '../domain/catalogue';
import { retryAfterSeconds } from '../domain/retry-after';
import { unavailable } from '../domain/upstream-error';
import { meaningOf } from '../domain/upstream-status-meaning';
import { RelayConfig, environmentOf } from '../relay.config';
import { EventPieces, MAX_WHOLE, jsonIn, readError, wholeOf } from './response-body';
import { type PooledUpstream, UpstreamConnectionPools } from './upstream-connection-pools';
import { BatchedStreamReads } from './batched-stream-reads';
import { UpstreamAddresses } from './upstream-addresses';
import { UpstreamResponseReader } from './upstream-response-reader';
import { UpstreamFailed, UpstreamRefused } from './upstream-errors';

export interface UpstreamRequest {
  /** For whom: connections are shared between Spaces. */
  spaceId: string | null;
  method: 'GET' | 'POST';
  path: string;
  query: string;
  headers: Record<string, string>;
  body: string | Buffer | null;
  /** The expected response: JSON, server-sent events, or bytes that are passed through. */
  expects: 'json' | 'events' | 'bytes';
  /** Told true when the question leaves for an upstream, and false when that attempt has failed. */
  onOut?: (isOut: boolean) => void;
}

export type Headers = Record<string, string | string[] | undefined>;

export type UpstreamResponse = { candidate: Candidate; status: number; headers: Headers } & (
  | { kind: 'json'; body: Buffer; json: unknown }
  | { kind: 'events'; events: EventPieces }
  | { kind: 'bytes'; body: AsyncIterableIterator<Buffer> }
);

const RETRY_WAIT = { baseMs: 60, maxMs: 2_000 };
/** An upstream that asks for a longer pause than this is left, not waited for. */
const WAIT_AT_MOST_S = 1;

/** Sends a call to the first candidate that answers. Tries again and moves on before the first byte, never after it. */
@Injectable()
export class UpstreamClient {
  private readonly environment: (name: string) => string | undefined;
  private readonly attempts;
  private readonly addresses = new UpstreamAddresses();

  constructor(
    private readonly upstreamConnectionPools: UpstreamConnectionPools,
    private readonly reads: BatchedStreamReads,
    private readonly logger: Logger,
    private readonly payerCache: PayerCache,
    config: RelayConfig,
    metrics: Metrics,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SETTINGS) settings: ServiceSettings,
  ) {
    this.environment = environmentOf(config, settings);
    this.attempts = metrics.counter(
      'switchyard_relay_upstream_attempts_total',
      'Requests to model providers, by outcome.',
      ['upstream', 'outcome'],
    );
  }

  /** `build` makes the request for a candidate: each upstream knows the model by a name of its own. */
  async open(
    candidates: readonly Candidate[],
    build: (candidate: Candidate) => UpstreamRequest,
    signal: AbortSignal,
  ): Promise<UpstreamResponse> {
    let refused: UpstreamRefused | undefined;
    let lastError: unknown;
    for (const candidate of candidates) {
      const request = build(candidate);
      for (let attempt = 0; attempt <= candidate.upstream.retries; attempt += 1) {
        if (attempt > 0) await sleep(backoffMs(attempt, RETRY_WAIT), signal);
        try {
          const opened = await this.attempt(candidate, request, signal);
          if (opened === null) {
            this.count(candidate, 'skipped');
            break;
          }
          this.count(candidate, 'answered');
          return opened;
        } catch (error) {
          if (signal.aborted) throw error;
          request.onOut?.(false);
          lastError = error;
          if (error instanceof UpstreamRefused) {
            const meaning = meaningOf(error.answer.status);
            this.count(candidate, meaning);
            if (meaning === 'refused') throw error;
            if (meaning === 'busy') refused = error;
            if (meaning === 'denied') this.reportDenial(candidate, error);
            if (
              meaning === 'busy' &&
              this.isShortPause(error) &&
              attempt < candidate.upstream.retries &&
              candidates.length === 1
            )
              continue;
            break;
          }
          this.count(candidate, 'failed');
          this.logger.warn(
            { err: error, upstream: candidate.upstream.name, model: candidate.model.id, attempt },
            'an upstream failed',
          );
        }
      }
    }
    if (refused) throw refused;
    throw unavailable(lastError);
  }

  private isShortPause(error: UpstreamRefused): boolean {
    const seconds = retryAfterSeconds(error.answer.headers, this.clock.now());
    return seconds !== null && seconds < WAIT_AT_MOST_S;
  }

  /** Null where the upstream was silent for too long to be asked now. */
  private async attempt(
    candidate: Candidate,
    request: UpstreamRequest,
    signal: AbortSignal,
  ): Promise<UpstreamResponse | null> {
    const line = this.upstreamConnectionPools.lineOf(candidate.upstream);
    const { breaker, slots } = line;
    const { spaceId } = request;
    // Refuse before waiting for a connection.
    if (!breaker.admits(spaceId, performance.now())) return null;
    const owner = spaceId === null ? null : this.payerCache.of(spaceId);
    const entering = slots.acquireInTime(owner, signal);
    if ((entering instanceof Promise ? await entering : entering) === 'stopped') throw signal.reason;
    if (!breaker.begin(spaceId, performance.now())) {
      slots.release(owner);
      return null;
    }
    const answer = await this.ask(line, { candidate, request, signal, owner });
    const { status, headers } = answer;
    const meaning = meaningOf(status);
    if (meaning === 'failed') {
      void readError(answer);
      throw new UpstreamFailed(`the upstream answered ${status}`);
    }
    if (meaning !== 'answered') throw new UpstreamRefused({ status, headers, body: await readError(answer) });
    try {
      return await this.read(candidate, request, answer);
    } catch (error) {
      answer.destroy();
      if (signal.aborted) throw error;
      throw error instanceof UpstreamFailed ? error : new UpstreamFailed('the answer broke off', { cause: error });
    }
  }

  /** Sends the question, and tells the breaker what it says of the upstream. */
  private async ask(
    { breaker, pool, slots }: PooledUpstream,
    {
      candidate,
      request,
      signal,
      owner,
    }: { candidate: Candidate; request: UpstreamRequest; signal: AbortSignal; owner: string | null },
  ): Promise<UpstreamResponseReader> {
    const { upstream } = candidate;
    const { spaceId } = request;
    const answer = new UpstreamResponseReader(signal, {
      onOut: () => {
        breaker.reached();
        request.onOut?.(true);
      },
      onClose: () => {
        slots.release(owner);
      },
    });
    try {
      await answer.ask(pool, {
        method: request.method,
        path: this.pathOf(candidate, request),
        headers: this.headersOf(candidate, request),
        body: request.body,
        headersTimeout: upstream.firstByteMs,
        bodyTimeout: upstream.idleMs,
      });
      breaker.answered();
      return answer;
    } catch (error) {
      answer.destroy();
      const now = performance.now();
      // A request that cannot be sent does not count against the upstream.
      if (signal.aborted || error instanceof errors.InvalidArgumentError) breaker.left(spaceId, now);
      else if (answer.isOut) breaker.unanswered(spaceId, now);
      else breaker.unreachable(spaceId, now);
      if (signal.aborted) throw error;
      throw new UpstreamFailed('the upstream did not answer', { cause: error });
    }
  }

  private async read(
    candidate: Candidate,
    request: UpstreamRequest,
    answer: UpstreamResponseReader,
  ): Promise<UpstreamResponse> {
    const { status, headers } = answer;
    if (request.expects === 'bytes') return { kind: 'bytes', candidate, status, headers, body: answer };
    const type = String(headers['content-type'] ?? '');
    if (request.expects === 'events' && type.startsWith('text/event-stream'))
      return { kind: 'events', candidate, status, headers, events: await new EventPieces(answer, this.reads).begin() };
    const body = wholeOf(await answer.whole(MAX_WHOLE));
    return { kind: 'json', candidate, status, headers, body, json: jsonIn(body) };
  }

  private pathOf({ upstream, upstreamModel }: Candidate, request: UpstreamRequest): string {
    const { base, fixed } = this.addresses.of(upstream, upstreamModel);
    const given = request.query.replace(/^\?/, '');
    const query = [given, fixed].filter((part) => part !== '').join('&');
    return `${base}/${request.path}${query === '' ? '' : `?${query}`}`;
  }

  private headersOf({ upstream }: Candidate, request: UpstreamRequest): Record<string, string> {
    const headers: Record<string, string> = mergeFast(request.headers, {
      'accept-encoding': 'identity',
      ...upstream.headers,
    });
    const key = upstream.apiKeyEnv === null ? undefined : this.environment(upstream.apiKeyEnv);
    if (key !== undefined && upstream.auth === 'bearer') headers['authorization'] = `Bearer ${key}`;
    if (key !== undefined && upstream.auth === 'api-key') headers['api-key'] = key;
    return headers;
  }

  /** Our key is wrong, or our account is empty: the caller can do nothing, and the operator must. */
  private reportDenial(candidate: Candidate, error: UpstreamRefused): void {
    this.logger.error(
      {
        upstream: candidate.upstream.name,
        model: candidate.model.id,
        status: error.answer.status,
        apiKeyEnv: candidate.upstream.apiKeyEnv,
      },
      "an upstream rejected the platform's key or account",
    );
  }

  private count(candidate: Candidate, outcome: string): void {
    this.attempts.inc({ upstream: candidate.upstream.name, outcome });
  }
}
