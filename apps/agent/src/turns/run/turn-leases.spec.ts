import { TurnLeases } from './turn-leases';

describe('what a process believes of its leases', () => {
  const MINUTE_MS = 60_000;
  let leases: TurnLeases;
  let clock: jest.SpyInstance;

  const at = (ms: number): void => {
    clock.mockReturnValue(ms);
  };

  beforeEach(() => {
    clock = jest.spyOn(performance, 'now');
    at(MINUTE_MS);
    leases = new TurnLeases();
    leases.confirm(MINUTE_MS);
  });

  afterEach(() => {
    clock.mockRestore();
  });

  it('is that the first turn after a rest is its own, until heartbeats fail to say so', () => {
    at(10 * MINUTE_MS);
    leases.turns = 1;
    expect(leases.areConfirmed).toBe(false);
    leases.begin(10 * MINUTE_MS);
    expect(leases.areConfirmed).toBe(true);
    at(10 * MINUTE_MS + 8_000);
    expect(leases.areConfirmed).toBe(false);
  });

  it('is nothing while it is in doubt, also when a turn begins: a heartbeat has to answer first', () => {
    leases.turns = 1;
    leases.markUnconfirmed();
    leases.begin(MINUTE_MS + 1);
    expect(leases.areConfirmed).toBe(false);
    leases.confirm(MINUTE_MS);
    expect(leases.areConfirmed).toBe(true);
  });

  it('is nothing after a heartbeat that was under way when the doubt came', () => {
    leases.turns = 1;
    at(MINUTE_MS + 1_000);
    leases.markUnconfirmed();
    leases.confirm(MINUTE_MS + 500);
    expect(leases.areConfirmed).toBe(false);
    leases.confirm(MINUTE_MS + 1_000);
    expect(leases.areConfirmed).toBe(true);
  });
});
