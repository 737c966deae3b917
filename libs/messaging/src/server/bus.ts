import { Inject, Injectable } from '@nestjs/common';
import { isInTransaction, traced } from '@switchyard/kernel';
import type { CallContract, Ctx, SignalContract, StreamContract } from '@switchyard/contracts';
import { checkRequest, natsSubject } from '@switchyard/contracts';
import { askingSpan, inSpan } from '../transport/message-tracing';
import { type AloneAmongReplicas, SerializedRetries } from '../rpc/serialized-retries';
import { CallClient, CallOptions } from '../rpc/call-client';
import { RepeatedCallGuard, type InterruptedCall } from '../transport/interrupted-calls';
import { HttpFallback } from '../rpc/http-fallback';
import { NatsConnectionManager } from '../transport/nats-connection-manager';
import { ChunkedPayloads } from '../transport/chunked-payloads';
import { RequestMultiplexer } from '../transport/request-multiplexer';
import { packEnvelope } from '../signing/envelope';
import { MessageSigner } from '../signing/message-signer';
import { BUS_OPTIONS, type BusOptions } from '../options';
import { StreamClient, type StreamOpening } from '../streams/stream-client';
import { StreamReader } from '../streams/stream-reader';

/** Calls, streams and signals between services. Events go through the outbox of a transaction instead. */
@Injectable()
export class Bus {
  private readonly calls: CallClient;
  private readonly streams: StreamClient;
  private readonly unanswered = new RepeatedCallGuard();
  /** Requests that were not answered before. */
  private readonly alone = new SerializedRetries();
  private readonly reported = new Set<string>();

  constructor(
    @Inject(BUS_OPTIONS) private readonly options: BusOptions,
    private readonly link: NatsConnectionManager,
    line: RequestMultiplexer,
    chunkedPayloads: ChunkedPayloads,
    private readonly encrypter: MessageSigner,
  ) {
    const offline = new HttpFallback(options);
    this.calls = new CallClient(link, line, chunkedPayloads, encrypter, offline, this.unanswered, this.alone);
    this.streams = new StreamClient(link, chunkedPayloads, encrypter, this.unanswered, this.alone);
  }

  /** Called once at start, when connected. */
  serve(): void {
    this.calls.serve();
    this.streams.serve();
  }

  stop(): void {
    this.streams.stop();
  }

  get isUp(): boolean {
    return this.link.isUp;
  }

  /** Called when a request of this process got no answer, and when it got one after that. */
  onUnanswered(listener: (call: InterruptedCall) => void): void {
    this.unanswered.onChange(listener);
  }

  /** Takes over what another replica has found out. */
  learnUnanswered(call: InterruptedCall): void {
    this.unanswered.learn(call);
  }

  /** While a request is repeated, no other replica repeats the same one. */
  waitForReplicas(amongReplicas: AloneAmongReplicas): void {
    this.alone.waitForReplicas(amongReplicas);
  }

  /** Called on each disconnect: signals sent meanwhile are lost. */
  onDown(listener: () => void): void {
    this.link.onDown(listener);
  }

  /** One request, one reply. Throws the AppError of the other side. */
  call<Req extends object, Rep extends object>(
    contract: CallContract<Req, Rep>,
    ctx: Ctx,
    data: Req,
    options?: CallOptions,
  ): Promise<Rep> {
    const defect = this.defectOf(contract);
    if (defect) return Promise.reject(defect);
    const span = askingSpan(contract, ctx);
    if (span === null) return this.calls.call(contract, ctx, data, options);
    return traced(span, () => this.calls.call(contract, inSpan(ctx, span), data, options));
  }

  /**
   * Returns the reply as raw JSON for callers that only forward it: parsing and validating a long reply costs more than
   * the rest of the call.
   */
  callForJson<Req extends object, Rep extends object>(
    contract: CallContract<Req, Rep>,
    ctx: Ctx,
    data: Req,
    options?: CallOptions,
  ): Promise<Buffer> {
    const defect = this.defectOf(contract);
    if (defect) return Promise.reject(defect);
    const span = askingSpan(contract, ctx);
    if (span === null) return this.calls.callForJson(contract, ctx, data, options);
    return traced(span, () => this.calls.callForJson(contract, inSpan(ctx, span), data, options));
  }

  /** Resolves at the first frame; rejects if the stream is refused. Leaving the loop cancels the server's generator. */
  stream<Req extends object, F>(
    contract: StreamContract<Req, F>,
    ctx: Ctx,
    data: Req,
    options: StreamOpening = {},
  ): Promise<StreamReader<F>> {
    const defect = this.defectOf(contract);
    if (defect) return Promise.reject(defect);
    return this.streams.open(contract, ctx, data, options);
  }

  /** Broadcast to every replica of the receivers, at most once; dropped while NATS is down. */
  signal<Data extends object>(contract: SignalContract<Data>, ctx: Ctx, data: Data): void {
    checkRequest(contract.data, data);
    if (!this.link.isUp) return;
    const envelope = packEnvelope({
      sealer: this.encrypter,
      source: this.options.service,
      address: { subject: contract.name, receivers: contract.hearers },
      ctx,
      deadline: 0,
      data,
    });
    this.link.nc.publish(natsSubject(contract), envelope);
  }

  /**
   * A call inside a transaction would occupy its connection and locks meanwhile. An error in tests; not detected in
   * production.
   */
  private defectOf({ subject }: { subject: string }): Error | null {
    if (!isInTransaction()) return null;
    const defect = new Error(`${subject} was called inside a database transaction; commit first, then call`);
    if (!this.reported.has(subject)) {
      this.reported.add(subject);
      this.options.log.error({ err: defect, contract: subject }, 'a defect: a bus call inside a database transaction');
    }
    return defect;
  }
}
