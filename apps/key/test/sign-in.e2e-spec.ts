import { usePlatform } from '@switchyard/testing';

const platform = usePlatform();

describe('signing in', () => {
  it('opens a Space', async () => {
    const space = await platform.newSpace();
    const me = await space.owner.get('/auth/me');
    expect(me.status).toBe(200);
    expect(me.body.data.role).toBe('OWNER');
  });
});
