import { KeptLoads } from './kept-loads';

describe('loads that are kept', () => {
  it('are done once, until somebody says that they are void', async () => {
    const loads = new KeptLoads<{ version: number }>();
    let version = 1;
    const read = (): Promise<{ version: number }> => Promise.resolve({ version });
    await loads.load('a', read);
    version = 2;
    expect(await loads.load('a', read)).toEqual({ version: 1 });
    loads.forget('a');
    expect(await loads.load('a', read)).toEqual({ version: 2 });
    version = 3;
    loads.forgetAll();
    expect(await loads.load('a', read)).toEqual({ version: 3 });
  });

  it('are not kept when they were changed while they were read', async () => {
    const loads = new KeptLoads<{ version: number }>();
    let arrive: (found: { version: number }) => void = () => undefined;
    const slow = loads.load('a', () => new Promise((resolve) => (arrive = resolve)));
    loads.forget('a');
    arrive({ version: 1 });
    expect(await slow).toEqual({ version: 1 });
    expect(await loads.load('a', () => Promise.resolve({ version: 2 }))).toEqual({ version: 2 });
  });

  it('do not remember that there was nothing', async () => {
    const loads = new KeptLoads<object>();
    expect(await loads.load('a', () => Promise.resolve(null))).toBeNull();
    expect(await loads.load('a', () => Promise.resolve({}))).toEqual({});
  });

  it('are no more than fit into their bytes', async () => {
    const loads = new KeptLoads<{ prompt: string }>();
    let reads = 0;
    const read = (): Promise<{ prompt: string }> => {
      reads += 1;
      return Promise.resolve({ prompt: 'x'.repeat(1024 * 1024) });
    };
    for (let at = 0; at < 60; at += 1) await loads.load(`agent ${at}`, read);
    await loads.load('agent 59', read);
    expect(reads).toBe(60);
    await loads.load('agent 0', read);
    expect(reads).toBe(61);
  });
});
