import { Injectable } from '@nestjs/common';
import { failpoint } from '@switchyard/kernel';
import type { Candidate } from '../domain/catalogue';
import type { MeteredCall } from '../metering/metered-call';
import { UpstreamResponse, UpstreamClient, UpstreamRequest } from './upstream-client';

/**
 * Asks an upstream for a call that holds tokens. While the reservation is still being written the upstream is asked
 * already; its answer comes out of here when the reservation stands, and is thrown away should it be refused.
 */
@Injectable()
export class ReservedUpstream {
  constructor(private readonly upstreams: UpstreamClient) {}

  open(
    call: MeteredCall,
    build: (candidate: Candidate) => UpstreamRequest,
    signal: AbortSignal,
  ): Promise<UpstreamResponse> {
    const { admission } = call.tokenReservation;
    const onOut = (isOut: boolean): void => {
      call.isOut = isOut;
    };
    const noted = (candidate: Candidate): UpstreamRequest => ({ onOut, ...build(candidate) });
    if (admission) return this.openWhileReserved(admission, call, noted, signal);
    const open = (): Promise<UpstreamResponse> => this.upstreams.open(call.candidates, noted, signal);
    const reserved = failpoint('relay.reserved');
    return reserved ? reserved.then(open) : open();
  }

  private async openWhileReserved(
    admission: Promise<void>,
    call: MeteredCall,
    noted: (candidate: Candidate) => UpstreamRequest,
    signal: AbortSignal,
  ): Promise<UpstreamResponse> {
    const ended = new AbortController();
    // By hand: `AbortSignal.any` costs more than all the rest of a call's signals.
    const onLeave = (): void => {
      ended.abort(signal.reason);
    };
    if (signal.aborted) onLeave();
    signal.addEventListener('abort', onLeave, { once: true });
    const opening = this.upstreams.open(call.candidates, noted, ended.signal);
    opening.catch(() => undefined);
    try {
      await admission;
      await failpoint('relay.reserved');
      const opened = await opening;
      // Of a stream the rest is still to come.
      if (opened.kind === 'json') signal.removeEventListener('abort', onLeave);
      return opened;
    } catch (error) {
      signal.removeEventListener('abort', onLeave);
      ended.abort();
      throw error;
    }
  }
}
