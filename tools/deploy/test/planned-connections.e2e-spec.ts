import { usePlatform } from '@switchyard/testing';
import { connectionWarning } from '../prepare';

const platform = usePlatform();
const warning = (planned: string): Promise<string[]> =>
  connectionWarning(platform.state.databaseUrl, { DATABASE_CONNECTIONS_PLANNED: planned });

test('the migration warns if the pools can open more connections than Postgres accepts', async () => {
  expect(await warning('100000')).toEqual([expect.stringMatching(/^WARNING: .* 100000 connections, and Postgres accepts \d+\./) as string]);
});

test('it does not warn if they fit, or if no number is given', async () => {
  expect(await warning('1')).toEqual([]);
  expect(await connectionWarning(platform.state.databaseUrl, {})).toEqual([]);
});
