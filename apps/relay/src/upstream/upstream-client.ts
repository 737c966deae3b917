import type { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { type Clock, abandonOn, backoffMs, joined, sleep } from '@switchyard/kernel';
import { CLOCK, Logger, Metrics } from '@switchyard/service';
import { type Dispatcher, errors } from 'undici';
import { Candidate } from '../domain/catalogue';
import { retryAfterSeconds } from '../domain/retry-after';
import { unavailable } from '../domain/upstream-error';
import { meaningOf } from '../domain/upstream-status';
import { RelayConfig, environmentOf } from '../relay.config';
import { openEvents, readError, readWhole } from './answer-body';
import type { Noted } from './noting';
import { type Line, Pools } from './pools';
import { UpstreamAddresses } from './upstream-addresses';
import { UpstreamFailed, UpstreamRefused } from './upstream-errors';

export interface UpstreamRequest {
  /** For whom: connections are shared between Spaces. */
  spaceId: string | null;
  method: 'GET' | 'POST';
  path: string;
  query: string;
  headers: Record<string, string>;
  body: string | Buffer | null;
  /** What the answer should be: JSON in one piece, server-sent events, or bytes that only pass. */
  expects: 'json' | 'events' | 'bytes';
  /** Told true when the question leaves for an upstream, and false when that attempt has failed. */
  onOut?: (isOut: boolean) => void;
}

export type Headers = Record<string, string | string[] | undefined>;

export type Opened = { candidate: Candidate; status: number; headers: Headers } & (
  | { kind: 'json'; body: Buffer; json: unknown }
  | { kind: 'events'; events: AsyncGenerator<Buffer> }
  | { kind: 'bytes'; body: Readable }
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
    private readonly pools: Pools,
    private readonly logger: Logger,
    config: RelayConfig,
    metrics: Metrics,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.environment = environmentOf(config);
    this.attempts = metrics.counter(
      'switchyard_relay_upstream_attempts_total',
      'Requests to upstreams by what came of them.',
      ['upstream', 'outcome'],
    );
  }

  /** `build` makes the request for a candidate: each upstream knows the model by a name of its own. */
  async open(
    candidates: readonly Candidate[],
    build: (candidate: Candidate) => UpstreamRequest,
    signal: AbortSignal,
  ): Promise<Opened> {
    let refused: UpstreamRefused | undefined;
    let lastError: unknown;
    for (const candidate of candidates) {
      const request = build(candidate);
      for (let attempt = 0; attempt <= candidate.upstream.retries; attempt += 1) {
        if (attempt > 0) await sleep(backoffMs(attempt, RETRY_WAIT), signal);
        try {
          const opened = await this.send(candidate, request, signal);
          if (opened === null) {
            this.count(candidate, 'skipped');
            break;
          }
          this.count(candidate, 'answered');
          return opened;
        } catch (error) {
          if (signal.aborted) throw error;
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
  private async send(candidate: Candidate, request: UpstreamRequest, signal: AbortSignal): Promise<Opened | null> {
    try {
      return await this.attempt(candidate, request, signal);
    } catch (error) {
      if (!signal.aborted) request.onOut?.(false);
      throw error;
    }
  }

  private async attempt(candidate: Candidate, request: UpstreamRequest, signal: AbortSignal): Promise<Opened | null> {
    const line = this.pools.lineOf(candidate.upstream);
    const { breaker, places } = line;
    const { spaceId } = request;
    // Who would be sent away does not wait for a connection first.
    if (!breaker.admits(spaceId, performance.now())) return null;
    if ((await places.acquireInTime(spaceId, signal)) === 'stopped') throw signal.reason;
    if (!breaker.begin(spaceId, performance.now())) {
      places.release(spaceId);
      return null;
    }
    let answer;
    try {
      answer = await this.ask(line, { candidate, request, signal });
    } catch (error) {
      places.release(spaceId);
      throw error;
    }
    const { statusCode: status, headers, body } = answer;
    body.once('close', () => {
      places.release(spaceId);
    });
    const meaning = meaningOf(status);
    if (meaning === 'failed') {
      void readError(body);
      throw new UpstreamFailed(`the upstream answered ${status}`);
    }
    if (meaning !== 'answered') throw new UpstreamRefused({ status, headers, body: await readError(body) });
    try {
      return { candidate, status, headers, ...(await this.read(request, headers, body)) };
    } catch (error) {
      body.destroy();
      if (signal.aborted) throw error;
      throw error instanceof UpstreamFailed ? error : new UpstreamFailed('the answer broke off', { cause: error });
    }
  }

  /** Sends the question, and tells the breaker what it says of the upstream. */
  private async ask(
    { breaker, road }: Line,
    { candidate, request, signal }: { candidate: Candidate; request: UpstreamRequest; signal: AbortSignal },
  ): Promise<Dispatcher.ResponseData> {
    const { upstream } = candidate;
    const { spaceId } = request;
    const sent = { isOut: false };
    try {
      const options: Dispatcher.RequestOptions & Noted = {
        method: request.method,
        path: this.pathOf(candidate, request),
        headers: this.headersOf(candidate, request),
        body: request.body,
        headersTimeout: upstream.firstByteMs,
        bodyTimeout: upstream.idleMs,
        signal,
        onOut: () => {
          sent.isOut = true;
          breaker.reached();
          request.onOut?.(true);
        },
      };
      // A request that still waits for a connection hears of the signal only when it has one.
      const answer = await abandonOn(signal, road.request(options));
      breaker.answered();
      return answer;
    } catch (error) {
      const now = performance.now();
      // What cannot be sent at all says nothing of the upstream.
      if (signal.aborted || error instanceof errors.InvalidArgumentError) breaker.left(spaceId, now);
      else if (sent.isOut) breaker.unanswered(spaceId, now);
      else breaker.unreachable(spaceId, now);
      if (signal.aborted) throw error;
      throw new UpstreamFailed('the upstream did not answer', { cause: error });
    }
  }

  private async read(request: UpstreamRequest, headers: Headers, body: Readable) {
    if (request.expects === 'bytes') return { kind: 'bytes' as const, body };
    const type = String(headers['content-type'] ?? '');
    if (request.expects === 'events' && type.startsWith('text/event-stream'))
      return { kind: 'events' as const, events: await openEvents(body) };
    const whole = await readWhole(body);
    try {
      return { kind: 'json' as const, body: whole, json: JSON.parse(whole.toString('utf8')) as unknown };
    } catch (error) {
      throw new UpstreamFailed('the answer is not JSON', { cause: error });
    }
  }

  private pathOf({ upstream, upstreamModel }: Candidate, request: UpstreamRequest): string {
    const { base, fixed } = this.addresses.of(upstream, upstreamModel);
    const given = request.query.replace(/^\?/, '');
    const query = [given, fixed].filter((part) => part !== '').join('&');
    return `${base}/${request.path}${query === '' ? '' : `?${query}`}`;
  }

  private headersOf({ upstream }: Candidate, request: UpstreamRequest): Record<string, string> {
    const headers: Record<string, string> = joined(request.headers, {
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
      "an upstream does not accept the platform's key or account",
    );
  }

  private count(candidate: Candidate, outcome: string): void {
    this.attempts.inc({ upstream: candidate.upstream.name, outcome });
  }
}
