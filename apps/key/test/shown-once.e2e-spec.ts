import { randomUUID } from 'node:crypto';
import { type Reply, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

describe('an answer that shows a secret', () => {
  it('is stored by no cache, and repeated without the secret', async () => {
    const { owner, id: spaceId } = await platform.newSpace();
    const made = (await owner.post('/api-keys', { name: 'a' })).body.data;
    const once = { 'idempotency-key': randomUUID() };
    const asks: readonly (readonly [
      string,
      (body: { data: Record<string, unknown> }) => unknown,
      () => Promise<Reply>,
    ])[] = [
      ['a key', ({ data }) => data['key'], () => owner.post('/api-keys', { name: 'b' }, { headers: once })],
      [
        'a rotated key',
        ({ data }) => data['key'],
        () => owner.post(`/api-keys/${made.id}/rotate`, {}, { headers: once }),
      ],
      [
        'an invitation',
        ({ data }) => data['invitation'],
        () => owner.post(`/spaces/${spaceId}/members`, { email: 'a@guest.example', role: 'MEMBER' }, { headers: once }),
      ],
    ];
    for (const [what, secretIn, ask] of asks) {
      const first = await ask();
      expect([what, first.status < 300, secretIn(first.body) === undefined]).toEqual([what, true, false]);
      expect([what, first.headers['cache-control']]).toEqual([what, 'no-store']);
      const again = await ask();
      expect([what, again.headers['idempotency-replayed'], secretIn(again.body)]).toEqual([what, 'true', undefined]);
      expect([what, again.headers['cache-control']]).toEqual([what, 'no-store']);
    }
    const seen = [
      await owner.post(`/spaces/${spaceId}/webhook-secret/rotate`, {}),
      await owner.get(`/spaces/${spaceId}`),
      await platform.anonymous.post('/auth/login', {
        email: owner.identity.email,
        password: owner.identity.password,
      }),
    ];
    expect(seen.map(({ status, headers }) => [status < 300, headers['cache-control']])).toEqual(
      seen.map(() => [true, 'no-store']),
    );
  });
});
