import type { EventContract } from '@switchyard/contracts';
import { durableName } from '../transport/consumer-name';

/** What a consumer says of itself, as the server counts it. */
interface Progress {
  ack_floor: { stream_seq: number };
  num_pending: number;
  num_ack_pending: number;
}

/**
 * Up to which sequence number of the stream a consumer has confirmed everything that is its own. `lastSeq` is a number
 * that the stream had reached some time before the consumer was asked: on replicas the two are counted by different
 * servers, and the consumer's may not have seen the newest events yet.
 */
export const confirmedFloor = ({ ack_floor, num_pending, num_ack_pending }: Progress, lastSeq: number): number =>
  num_pending === 0 && num_ack_pending === 0 ? Math.max(lastSeq, ack_floor.stream_seq) : ack_floor.stream_seq;

/**
 * The same for each subject that the stream holds: the least of its consumers. A consumer that a contract names and
 * the server does not know has confirmed nothing; neither has anybody of a subject that no contract and no consumer
 * knows.
 */
export function subjectFloors(given: {
  subjects: readonly string[];
  contracts: readonly EventContract[];
  floors: readonly { name: string; subject: string; floor: number }[];
  lastSeq: number;
}): Map<string, number> {
  const contracts = new Map(given.contracts.map((contract) => [`event.${contract.name}`, contract]));
  return new Map(
    given.subjects.map((subject) => {
      const contract = contracts.get(subject);
      const known = given.floors.filter((consumer) => consumer.subject === subject || consumer.subject === '>');
      const names = new Set(known.map(({ name }) => name));
      const isMissing = contract?.consumers.some((service) => !names.has(durableName(service, contract.name)));
      if (isMissing || (!contract && known.length === 0)) return [subject, 0];
      return [subject, Math.min(given.lastSeq, ...known.map(({ floor }) => floor))];
    }),
  );
}

/** Up to where everything in the stream is confirmed, whatever its subject. */
export const globalFloor = (floors: ReadonlyMap<string, number>, lastSeq: number): number =>
  Math.min(lastSeq, ...floors.values());
