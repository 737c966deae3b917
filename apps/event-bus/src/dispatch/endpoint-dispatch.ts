import { Injectable } from '@nestjs/common';
import type { Tx } from '@switchyard/database';
import {
  EndpointDeliveriesRepository,
  type NewEndpointDelivery,
  newEndpointDelivery,
} from '../db/endpoint-deliveries.repository';
import { type EndpointMatch, oncePerEndpoint } from '../domain/matches';
import { EndpointBacklog } from '../endpoints/endpoint-backlog';
import { EndpointSender } from '../endpoints/endpoint-sender';

export interface Sending {
  emission: { spaceId: string; id: string; payloadBytes: number };
  matches: readonly (Omit<EndpointMatch, 'subscriptionId'> & { subscriptionId: string | null })[];
}

/** Queues emissions for endpoints, in the transaction that marks their envelopes. */
@Injectable()
export class EndpointDispatch {
  constructor(
    private readonly deliveries: EndpointDeliveriesRepository,
    private readonly sender: EndpointSender,
    private readonly backlog: EndpointBacklog,
  ) {}

  async add(tx: Tx, sendings: readonly Sending[]): Promise<void> {
    if (sendings.length === 0) return;
    await this.deliveries.add(tx, sendings.flatMap(deliveriesOf));
    this.announce(tx, sendings);
  }

  /** Once more, and only this often to each endpoint. Gives the highest number of their replays. */
  async replay(tx: Tx, sending: Sending): Promise<number> {
    let highest = 0;
    for (const delivery of deliveriesOf(sending))
      highest = Math.max(highest, (await this.deliveries.addReplay(tx, delivery)) ?? 0);
    this.announce(tx, [sending]);
    return highest;
  }

  private announce(tx: Tx, sendings: readonly Sending[]): void {
    tx.afterCommit(() => {
      const added = sendings.flatMap(({ emission: { spaceId, payloadBytes }, matches }) =>
        oncePerEndpoint(matches).map(({ endpointId }) => ({ spaceId, endpointId, bytes: payloadBytes })),
      );
      this.backlog.noteAdded(added);
      this.sender.wake(added.map(({ spaceId, endpointId }) => ({ spaceId, queueId: endpointId })));
    });
  }
}

const deliveriesOf = ({ emission, matches }: Sending): NewEndpointDelivery[] =>
  oncePerEndpoint(matches).map(({ subscriptionId, endpointId }) =>
    newEndpointDelivery({ spaceId: emission.spaceId, envelopeId: emission.id, endpointId, subscriptionId }),
  );
