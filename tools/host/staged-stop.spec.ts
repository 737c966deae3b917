import { StagedStop, stopOf } from './staged-stop';

function services(...names: string[]): { log: string[]; stops: Map<string, () => Promise<void>> } {
  const log: string[] = [];
  const stopOf = (name: string) => async (): Promise<void> => {
    log.push(`${name} begins`);
    await Promise.resolve();
    log.push(`${name} ends`);
    if (name === 'broken') throw new Error('it could not be stopped');
  };
  return { log, stops: new Map(names.map((name) => [name, stopOf(name)])) };
}

describe('the stop of a host', () => {
  it('ends the session service after the agent, which hands turns over to it', async () => {
    const { log, stops } = services('session', 'agent');
    await new StagedStop(stops).all();
    expect(log).toEqual(['agent begins', 'agent ends', 'session begins', 'session ends']);
  });

  it('stops the agent first when told, and each service once', async () => {
    const { log, stops } = services('session', 'agent');
    const stop = new StagedStop(stops);
    const early = stop.allButLast();
    expect(log).toEqual(['agent begins']);
    await Promise.all([early, stop.all()]);
    expect(log).toEqual(['agent begins', 'agent ends', 'session begins', 'session ends']);
  });

  it('stops the others too when one cannot be stopped, and says so at the end', async () => {
    const { log, stops } = services('session', 'broken', 'agent');
    await expect(new StagedStop(stops).all()).rejects.toThrow('it could not be stopped');
    expect(log.at(-1)).toBe('session ends');
  });

  it('waits for a service that still starts, and for those after which it comes', async () => {
    const { log, stops } = services('session', 'agent');
    let hasStarted = (): void => undefined;
    const starting = new Promise<void>((resolve) => (hasStarted = resolve));
    const agent = starting.then(() => {
      log.push('agent has started');
      return { stop: stops.get('agent') as () => Promise<void> };
    });
    const stop = new StagedStop(new Map([...stops, ['agent', stopOf(agent)]]));
    expect(stop.hasBegun).toBe(false);
    const ended = stop.all();
    expect([stop.hasBegun, log]).toEqual([true, []]);
    hasStarted();
    await ended;
    expect(log).toEqual(['agent has started', 'agent begins', 'agent ends', 'session begins', 'session ends']);
  });

  it('ends the others in order if one cannot start, and says so at the end', async () => {
    const { log, stops } = services('session', 'agent');
    const broken = Promise.reject(new Error('it has no database'));
    await expect(new StagedStop(new Map([...stops, ['key', stopOf(broken)]])).all()).rejects.toThrow('no database');
    expect(log.at(-1)).toBe('session ends');
  });
});
