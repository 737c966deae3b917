import { type EventContract, Nothing } from '@switchyard/contracts';
import { confirmedFloor, globalFloor, subjectFloors } from './acknowledged-positions';

const event = (name: string, consumers: string[]): EventContract =>
  ({ kind: 'event', name, source: 'task', data: Nothing, consumers }) as EventContract;
const contracts = [event('task.done', ['job', 'agent']), event('task.heard-by-none', [])];
const floor = (service: string, name: string, at: number) => ({
  name: `${service}-${name.replaceAll('.', '_')}`,
  subject: `event.${name}`,
  floor: at,
});

describe('what a consumer has confirmed', () => {
  it('reaches to where it has acknowledged without a gap', () => {
    expect(confirmedFloor({ ack_floor: { stream_seq: 7 }, num_pending: 3, num_ack_pending: 0 }, 20)).toBe(7);
    expect(confirmedFloor({ ack_floor: { stream_seq: 7 }, num_pending: 0, num_ack_pending: 1 }, 20)).toBe(7);
  });

  it('reaches to the end of the stream when nothing of its own waits', () => {
    expect(confirmedFloor({ ack_floor: { stream_seq: 7 }, num_pending: 0, num_ack_pending: 0 }, 20)).toBe(20);
  });
});

describe('what can be freed', () => {
  const floors = (consumers: ReturnType<typeof floor>[], subjects = ['event.task.done']) =>
    Object.fromEntries(subjectFloors({ subjects, contracts, floors: consumers, lastSeq: 20 }));

  it('is what all consumers of an event have confirmed', () => {
    expect(floors([floor('job', 'task.done', 12), floor('agent', 'task.done', 9)])).toEqual({ 'event.task.done': 9 });
  });

  it('is nothing while a consumer that the contract names has never been there', () => {
    expect(floors([floor('job', 'task.done', 20)])).toEqual({ 'event.task.done': 0 });
  });

  it('is everything of an event that has no consumers, and nothing of one that is unknown', () => {
    const subjects = ['event.task.heard-by-none', 'event.task.of-another-version'];
    expect(floors([], subjects)).toEqual({ 'event.task.heard-by-none': 20, 'event.task.of-another-version': 0 });
    expect(floors([floor('job', 'task.of-another-version', 4)], subjects)).toMatchObject({
      'event.task.of-another-version': 4,
    });
  });

  it('reaches over the whole stream as far as the slowest subject', () => {
    const consumers = new Map([
      ['event.a', 12],
      ['event.b', 5],
    ]);
    expect(globalFloor(consumers, 20)).toBe(5);
    expect(globalFloor(new Map(), 20)).toBe(20);
  });
});
