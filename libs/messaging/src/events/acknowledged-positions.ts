import type { EventContract } from '@switchyard/contracts';
import { durableName } from '../transport/durable-consumer-name';

/** Consumer state as the server reports it. */
interface Progress {
  ack_floor: { stream_seq: number };
  num_pending: number;
  num_ack_pending: number;
}

/**
 * Highest stream sequence up to which a consumer has acknowledged all its messages. `lastSeq` must be read before the
 * consumer's state: with replicas, the consumer's server may lag behind the stream's.
 */
export const confirmedFloor = ({ ack_floor, num_pending, num_ack_pending }: Progress, lastSeq: number): number =>
  num_pending === 0 && num_ack_pending === 0 ? Math.max(lastSeq, ack_floor.stream_seq) : ack_floor.stream_seq;

/**
 * The floor of each subject in the stream: the minimum of its consumers, or 0 for a consumer that does not exist yet,
 * and for subjects without a contract or consumer.
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
      const consumers = given.floors.filter((consumer) => consumer.subject === subject || consumer.subject === '>');
      const names = new Set(consumers.map(({ name }) => name));
      const isMissing = contract?.consumers.some((service) => !names.has(durableName(service, contract.name)));
      if (isMissing || (!contract && consumers.length === 0)) return [subject, 0];
      return [subject, Math.min(given.lastSeq, ...consumers.map(({ floor }) => floor))];
    }),
  );
}

/** The floor over all subjects. */
export const globalFloor = (floors: ReadonlyMap<string, number>, lastSeq: number): number =>
  Math.min(lastSeq, ...floors.values());
