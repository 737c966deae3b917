import { schemaDifference } from '@switchyard/database';
import { usePlatform } from '@switchyard/testing';
import { tables } from '../src/db/tables';

const platform = usePlatform();

describe('the declared tables of the job service', () => {
  it('agree with its migrations', async () => {
    expect(await schemaDifference(platform.state.databaseUrl, 'job', tables)).toEqual([]);
  });
});
