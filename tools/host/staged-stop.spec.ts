import { StagedStop } from './staged-stop';

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
});
