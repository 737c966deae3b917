import { nameOfFault } from './fault';
import { chatMenu, emissionMenu } from './fault-menus';
import { planFaults } from './fault-plan';
import { Random } from './random';

describe('a plan of faults', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(planFaults(new Random(7), 30, 1000, emissionMenu)).toEqual(
      planFaults(new Random(7), 30, 1000, emissionMenu),
    );
    expect(planFaults(new Random(7), 30, 1000, emissionMenu)).not.toEqual(
      planFaults(new Random(8), 30, 1000, emissionMenu),
    );
  });

  it('has the faults without which a run proves nothing, spread over the work', () => {
    const plan = planFaults(new Random(1), 8, 500, emissionMenu);
    const kinds = plan.map(({ fault }) => nameOfFault(fault));
    expect(kinds).toEqual(
      expect.arrayContaining(['kill event-bus', 'kill task', 'nats-wiped', 'duplicates', 'postgres-restart']),
    );
    const slots = plan.map(({ afterAccepted }) => afterAccepted);
    expect(slots).toEqual([...slots].sort((a, b) => a - b));
    expect(slots.every((index) => index > 0 && index < 500)).toBe(true);
  });

  it.each([
    ['emissions', emissionMenu],
    ['turns', chatMenu],
  ])('for %s visits every place in the code that is named', (_, menu) => {
    const points = menu.always.flatMap((fault) => (fault.kind === 'failpoint' ? [fault.name] : []));
    const plan = planFaults(new Random(3), menu.always.length + 10, 500, menu);
    const planned = plan.flatMap(({ fault }) => (fault.kind === 'failpoint' ? [fault.name] : []));
    expect(points.length).toBeGreaterThan(8);
    expect(planned).toEqual(expect.arrayContaining(points));
  });
});
