import { usePlatform } from '@switchyard/testing';

const platform = usePlatform();

const TIMES = [
  '2016-12-31T23:59:60Z',
  '2026-11-26T00:00:00+23:59',
  '2026-01-01T00:00:00+01',
  '2026-02-30T00:00:00Z',
  '0000-01-01T00:00:00Z',
];

it('a time that cannot be read is refused by its name, wherever it is given', async () => {
  const { owner } = await platform.newSpace();
  const agent = (await owner.post('/agents', { name: 'A', model: 'sim-chat', systemPrompt: 'x' })).body.data
    .id as string;
  const paths = [
    '/usage',
    '/activity',
    '/activity/counts',
    '/events/stats',
    '/tasks/executions',
    `/agents/${agent}/latency`,
  ];
  for (const time of TIMES)
    for (const path of paths)
      for (const name of ['from', 'to']) {
        const { status, body } = await owner.get(`${path}?${name}=${encodeURIComponent(time)}`);
        expect([path, time, status, body.details?.[0]?.path]).toEqual([path, time, 400, name]);
      }
  const key = await owner.post('/api-keys', { name: 'late', expiresAt: '2027-12-31T23:59:60Z' });
  expect([key.status, key.body.details?.[0]?.path]).toEqual([400, 'expiresAt']);
  for (const time of ['2026-11-26', '2026-11-26T10:00Z', '2026-11-26T10:00:00.5+02:00'])
    expect([time, (await owner.get(`/usage?from=${encodeURIComponent(time)}`)).status]).toEqual([time, 200]);
});
