import { changeTask } from './task-fields';
import { checkScopes } from './task-scopes';

const defaults = { concurrency: 5, timeoutSeconds: 3600 };
const steps = [{ id: 'a', type: 'transform' as const, with: {} }];
const task = changeTask(null, { name: 'T', steps }, defaults);

describe('a task', () => {
  it('begins with the defaults', () => {
    expect(task).toMatchObject({
      type: 'MANUAL',
      active: true,
      schedule: null,
      concurrency: { limit: 5, policy: 'QUEUE' },
      timeoutSeconds: 3600,
      retry: { maxAttempts: 1 },
    });
  });

  it('keeps what a change does not name', () => {
    const changed = changeTask(task, { concurrency: { policy: 'SKIP' }, description: 'd' }, defaults);
    expect(changed).toEqual({ ...task, concurrency: { limit: 5, policy: 'SKIP' }, description: 'd' });
    expect(changeTask(changed, { description: null }, defaults).description).toBeNull();
  });

  it('is judged by its steps when they are saved, and not again with every other change', () => {
    const settings = { max_tokens: 5 };
    const agent = {
      id: 'a',
      type: 'agent' as const,
      with: { agentId: '00000000-0000-7000-8000-000000000000', settings },
    };
    const old = { ...task, steps: [agent] };
    expect(changeTask(old, { name: 'Renamed' }, defaults)).toEqual({ ...old, name: 'Renamed' });
    expect(() => changeTask(old, { steps: [agent] }, defaults)).toThrow(/steps\[0\].with.settings.max_tokens/);
  });

  it('needs a schedule to be scheduled', () => {
    expect(() => changeTask(task, { type: 'SCHEDULE' }, defaults)).toThrow(/schedule/);
    expect(changeTask(task, { type: 'SCHEDULE', schedule: { cron: ' 0  9 * * * ' } }, defaults).schedule).toEqual({
      cron: '0 9 * * *',
      timezone: 'UTC',
      misfire: 'SKIP',
    });
  });

  it('leaves the trigger to the platform', () =>
    expect(() => changeTask(task, { inputs: { trigger: {} } }, defaults)).toThrow(/inputs.trigger/));
});

describe('a key that saves a task', () => {
  const dataset = (operation: string) => [{ id: 'd', type: 'dataset' as const, with: { datasetId: 'x', operation } }];

  it('needs the scopes of its steps', () => {
    expect(() => checkScopes({ role: 'MEMBER', scopes: ['tasks:write'] }, dataset('insert'))).toThrow(
      expect.objectContaining({ code: 'FORBIDDEN' }),
    );
    expect(() => checkScopes({ role: 'MEMBER', scopes: ['tasks:write', 'datasets:read'] }, dataset('insert'))).toThrow(
      /datasets:write/,
    );
    checkScopes({ role: 'MEMBER', scopes: ['tasks:write', 'datasets:read'] }, dataset('query'));
    checkScopes({ role: 'MEMBER', scopes: ['*'] }, dataset('insert'));
    checkScopes({ role: 'MEMBER', scopes: ['tasks:write'] }, steps);
  });
});
