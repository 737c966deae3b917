import { planFaults } from './fault-plan';
import { Random } from './random';

describe('a plan of faults', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(planFaults(new Random(7), 30, 1000)).toEqual(planFaults(new Random(7), 30, 1000));
    expect(planFaults(new Random(7), 30, 1000)).not.toEqual(planFaults(new Random(8), 30, 1000));
  });

  it('has the faults without which a run proves nothing, spread over the work', () => {
    const plan = planFaults(new Random(1), 8, 500);
    const kinds = plan.map(({ fault }) => ('target' in fault ? `${fault.kind} ${fault.target}` : fault.kind));
    expect(kinds).toEqual(
      expect.arrayContaining(['kill event-bus', 'kill task', 'nats-wiped', 'duplicates', 'postgres-restart']),
    );
    const places = plan.map(({ afterAccepted }) => afterAccepted);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places.every((place) => place > 0 && place < 500)).toBe(true);
  });
});
