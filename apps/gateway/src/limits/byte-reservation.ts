import { Injectable } from '@nestjs/common';
import { AppError } from '@switchyard/kernel';
import { Metrics, SpacePolicyCache } from '@switchyard/service';
import { GatewayConfig } from '../gateway.config';
import { clientNetwork } from './client-network';
import { type ByteBound, InFlightBytes, type ByteOwner } from './in-flight-bytes';

const RETRY_AFTER_SECONDS = 1;

const MESSAGES: Record<ByteBound, string> = {
  total: 'The platform holds too many bytes of requests at the moment. Try again shortly.',
  space: 'Your Space sends too many bytes at once. Wait for the answers to earlier requests, then try again.',
  anonymous: 'Too many bytes are being sent without a credential. Try again shortly.',
  address: 'Your address sends too many bytes without a credential. Try again shortly.',
};

/** The bytes that one request or upload holds. They are counted until `release`. */
export class ByteReservation {
  private bytes = 0;

  constructor(
    private readonly owner: ByteOwner,
    private readonly budget: InFlightBytes,
    private readonly refused: (bound: ByteBound) => void,
  ) {}

  /** Takes more; throws RATE_LIMITED, with nothing taken, where a bound would be broken. */
  grow(bytes: number): void {
    const broken = this.budget.take(this.owner, bytes);
    if (broken === null) {
      this.bytes += bytes;
      return;
    }
    this.refused(broken);
    throw new AppError('RATE_LIMITED', MESSAGES[broken], { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  /** Holds exactly so many from now on; throws where more of them would break a bound. */
  resize(bytes: number): void {
    if (bytes > this.bytes) {
      this.grow(bytes - this.bytes);
      return;
    }
    this.budget.give(this.owner, this.bytes - bytes);
    this.bytes = bytes;
  }

  release(): void {
    if (this.bytes > 0) this.budget.give(this.owner, this.bytes);
    this.bytes = 0;
  }
}

/** All bytes of requests that this process holds: bounded in all, for each payer of Spaces, and per address. */
@Injectable()
export class ByteHolder {
  private readonly budget: InFlightBytes;
  private readonly refused: (bound: ByteBound) => void;

  constructor(
    config: GatewayConfig,
    private readonly policies: SpacePolicyCache,
    metrics: Metrics,
  ) {
    const limits = {
      total: config.BYTES_IN_FLIGHT,
      space: config.BYTES_IN_FLIGHT_PER_SPACE,
      anonymous: config.BYTES_IN_FLIGHT_ANONYMOUS,
      address: config.BYTES_IN_FLIGHT_PER_ADDRESS,
    };
    const budget = new InFlightBytes(limits);
    this.budget = budget;
    const refusals = metrics.counter(
      'switchyard_bytes_in_flight_refused_total',
      'Requests that were rejected because a limit of bytes in flight was reached.',
      ['bound'],
    );
    this.refused = (bound) => {
      refusals.inc({ bound });
    };
    metrics.gauge(
      'switchyard_bytes_in_flight',
      'Bytes of requests in progress. With `bound` = `space` or `address`: those of the Space or address that has most.',
      ['bound'],
      (gauge) => {
        gauge.set({ bound: 'total' }, budget.total);
        gauge.set({ bound: 'anonymous' }, budget.anonymous);
        gauge.set({ bound: 'space' }, budget.largest('space'));
        gauge.set({ bound: 'address' }, budget.largest('address'));
      },
    );
    metrics.gauge('switchyard_bytes_in_flight_limit', 'The limits of bytes in flight.', ['bound'], (gauge) => {
      for (const bound of Object.keys(limits) as ByteBound[]) gauge.set({ bound }, limits[bound]);
    });
  }

  open(owner: ByteOwner): ByteReservation {
    const counted =
      'address' in owner
        ? { address: clientNetwork(owner.address) }
        : { spaceId: this.policies.payerOf(owner.spaceId) };
    return new ByteReservation(counted, this.budget, this.refused);
  }
}
