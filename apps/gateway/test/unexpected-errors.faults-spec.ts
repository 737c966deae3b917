import { usePlatform } from '@switchyard/testing';

const platform = usePlatform();

describe('an unexpected error', () => {
  it('while a request is refused costs its own connection, and not the process', async () => {
    const gateway = platform.service('gateway');
    await gateway.ready();
    const { owner } = await platform.newSpace();
    const { pid } = gateway;
    await gateway.arm('gateway.refusing', 'throw');
    const nowhere = new URL('/api/nowhere', owner.host);
    const authorization = owner.authorization ?? '';
    await expect(fetch(nowhere, { headers: { authorization } })).rejects.toThrow();
    expect((await fetch(nowhere, { headers: { authorization } })).status).toBe(404);
    expect(gateway.pid).toBe(pid);
  });
});
