import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { type Client, type TestSpace, findCanaries, hasCanary, until, usePlatform } from '@switchyard/testing';
import { EffectsServer } from '../../../proof/faults/approvals/effects-server';
import { findBinary } from '../../../tools/launcher/servers/binaries';
import { routesOf } from './routes';
import { EchoServer } from './support/echo-server';
import { TraceCollector } from './support/trace-collector';

const platform = usePlatform();
const run = promisify(execFile);
const SERVICES = ['gateway', 'agent', 'session', 'relay', 'task', 'job', 'event-bus', 'dataset', 'key'];
const NOTHING = { id: 'end', type: 'transform', with: {} };
const STREAM = { accept: 'text/event-stream', 'x-service-stream-protocol': 'stream-v3' };

/**
 * Everything that can carry a secret is done with one, and then everything that is kept or was answered is searched.
 */
describe('the value of a secret', () => {
  const collector = new TraceCollector();
  const canary = `canary-${randomBytes(18).toString('base64')}"/`;
  const reservation = `held-${randomBytes(18).toString('base64')}`;
  const values = [canary, reservation];
  const echo = new EchoServer(values);
  const answers: { from: string; text: string }[] = [];
  const ids: Record<string, string> = {};
  let space: TestSpace;
  let owner: Client;
  let url: string;
  let effects: EffectsServer;

  const keep = (from: string, answer: unknown): void => {
    answers.push({ from, text: typeof answer === 'string' ? answer : JSON.stringify(answer) });
  };
  const made = async (path: string, body: object): Promise<string> => {
    const reply = await owner.post(path, body);
    keep(`POST ${path}`, reply);
    expect([path, reply.status < 300, reply.body]).toEqual([path, true, expect.anything()]);
    return reply.body.data.id as string;
  };
  const ended = (path: string, field: string): Promise<unknown> =>
    until(async () => {
      const { data } = (await owner.get(path)).body;
      return /SUCCEEDED|FAILED|COMPLETED|CANCELLED/.test(String(data[field])) ? data : null;
    });

  beforeAll(async () => {
    url = await echo.open();
    effects = await EffectsServer.start();
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: await collector.open(), LOG_LEVEL: 'debug' };
    await Promise.all(SERVICES.map((name) => platform.service(name).restart(settings)));
    await Promise.all(SERVICES.map((name) => platform.service(name).ready()));
    space = await platform.newSpace();
    owner = space.owner;
  }, 300_000);

  afterAll(async () => {
    await platform.database.query('drop trigger if exists refuse_echo on task.executions');
    await platform.database.query(`delete from task.dead_letter t where t::text like '%refused: %'`);
    echo.close();
    effects.close();
    await Promise.all(SERVICES.map((name) => platform.service(name).restart()));
    await Promise.all(SERVICES.map((name) => platform.service(name).ready()));
    collector.close();
  }, 300_000);

  /** A stored echo triggers a task that cannot start: its message becomes a dead letter. */
  async function giveUpRunsOf(taskId: string, appIdentifier: string): Promise<void> {
    await platform.database.query(`
      create or replace function task.refuse_echo() returns trigger language plpgsql as
        $$ begin if new.task_id = '${taskId}' then raise exception 'refused: %', left(new.inputs::text, 500); end if; return new; end $$;
      create or replace trigger refuse_echo before insert on task.executions for each row execute function task.refuse_echo()`);
    await made('/events/subscriptions', { appIdentifier, event: 'stored', taskId });
  }
  const deadLetters = (): Promise<{ text: string }[]> =>
    platform.database.query(`select t::text as text from task.dead_letter t where t::text like '%refused: %'`);

  const carrying = (path: string): object => ({
    url: `${url}${path}?q={{ secrets.CANARY }}`,
    method: 'POST',
    headers: { Authorization: 'Bearer {{ secrets.CANARY }}', 'X-Token': '{{ secrets.CANARY }}' },
    body: { text: 'is {{ secrets.CANARY }}' },
  });

  it('is used in steps, tools, jobs and events', async () => {
    ids['secretId'] = await made('/secrets', { name: 'CANARY', value: canary });
    await made('/secrets', { name: 'HELD', value: reservation, hosts: ['elsewhere.example'] });
    const fields = ['text', 'forms'].map((name) => ({ name, type: 'string' }));
    ids['datasetId'] = await made('/datasets', { name: 'echoes', schema: { fields } });
    ids['agentId'] = await made('/agents', {
      name: 'Echo',
      model: 'sim-chat',
      systemPrompt: 'You are a test.',
      tools: ['write_dataset', 'save_memory'],
      approvals: [{ tool: 'write_dataset' }],
      mcpServers: [{ name: 'effects', url: effects.url, headers: { Authorization: 'Bearer {{ secrets.CANARY }}' } }],
    });
    const hasMessage = '@@tool effects__act {"name": "x"}\n@@reply it said {{tool}}';
    ids['taskId'] = await made('/tasks', {
      name: 'Echo',
      type: 'EVENT',
      steps: [
        { id: 'call', type: 'http', with: carrying('/call') },
        { id: 'fail', type: 'http', with: carrying('/fail'), continueOnError: true },
        {
          id: 'away',
          type: 'http',
          with: { url, headers: { 'X-Held': '{{ secrets.HELD }}' } },
          continueOnError: true,
        },
        {
          id: 'nowhere',
          type: 'http',
          with: { ...carrying('/x'), url: 'http://127.0.0.2:1/?q={{ secrets.CANARY }}' },
          continueOnError: true,
        },
        { id: 'ask', type: 'agent', with: { agentId: ids['agentId'], inputs: { query: hasMessage } } },
        {
          id: 'store',
          type: 'dataset',
          with: {
            datasetId: ids['datasetId'],
            operation: 'insert',
            records: [{ text: '{{ steps.call.output | json }}', forms: '{{ steps | json }}' }],
          },
        },
      ],
    });
    const identifier = `echo-${space.id.slice(-12)}`;
    const manifest = {
      identifier,
      name: 'Echo',
      version: '1.0.0',
      events: [
        { name: 'happened', schema: { type: 'object' } },
        {
          name: 'stored',
          schema: { type: 'object' },
          emitOn: { dataset: ids['datasetId'], operations: ['insert'] },
        },
      ],
    };
    const installed = await owner.post('/applications', { manifest });
    ids['applicationId'] = installed.body.data.id;
    ids['subscriptionId'] = await made('/events/subscriptions', {
      appIdentifier: identifier,
      event: 'happened',
      taskId: ids['taskId'],
    });
    await giveUpRunsOf(
      await made('/tasks', { name: 'Never', type: 'EVENT', active: true, steps: [NOTHING] }),
      identifier,
    );
    const app = owner.as(`Bearer ${installed.body.data.systemApiKey as string}`);
    const emitted = await app.post('/events/emit', { appIdentifier: identifier, event: 'happened', payload: {} });
    ids['envelopeId'] = emitted.body.data.envelopeId;
    ids['executionId'] = await until(async () => {
      const { data } = (await owner.get(`/tasks/${ids['taskId']}/executions`)).body;
      return data[0]?.id as string | undefined;
    });
    expect(await ended(`/tasks/executions/${ids['executionId']}`, 'status')).toMatchObject({ status: 'SUCCEEDED' });

    const job = {
      type: 'AGENT_INVOKE',
      agentId: ids['agentId'],
      input: { inputs: { query: hasMessage } },
      callbackUrl: `${url}/callback`,
    };
    ids['jobId'] = await made('/agent-jobs', job);
    expect(await ended(`/agent-jobs/${ids['jobId']}`, 'phase')).toMatchObject({ phase: 'SUCCEEDED' });
    await until(() => echo.received.some(({ path }) => path.startsWith('/callback')));

    const chat = await owner.stream(
      `/agents/${ids['agentId']}/chat`,
      { contents: [{ type: 'text', text: hasMessage }] },
      { headers: STREAM },
    );
    const frames = await chat.all();
    keep('chat', frames);
    const started = frames.map(({ data }) => data.params.data).find(({ event }) => event === 'session-started');
    ids['sessionId'] = started.session_id;
    const asking = `@@tool effects__act {"name": "y"}\n@@tool write_dataset {"datasetId": "${ids['datasetId']}", "operation": "insert", "records": [{"text": "{{tool}}"}]}\n@@reply {{tool}}`;
    const paused = await owner.post(`/agents/${ids['agentId']}/chat`, {
      contents: [{ type: 'text', text: asking }],
      session_id: ids['sessionId'],
      stream: false,
    });
    keep('paused', paused);
    ids['turnId'] = paused.body.data.turn_id;
    expect(paused.body.data.status).toBe('WAITING_INPUT');
    expect(effects.credentials).toContain(`Bearer ${canary}`);
    expect(echo.received.some(({ text }) => hasCanary(text, [canary]))).toBe(true);
  }, 300_000);

  it('stays with those it was sent to: no other host gets it, in no callback', () => {
    expect(echo.received.filter(({ path, text }) => !/^\/(call|fail)\?/.test(path) && hasCanary(text, values))).toEqual(
      [],
    );
    expect(echo.received.filter(({ text }) => hasCanary(text, [reservation]))).toEqual([]);
  });

  it('is in no answer: not of any route, not of the console, not in an export', async () => {
    const other = {
      spaceId: space.id,
      kind: 'execution',
      id: ids['executionId'] ?? '',
      path: 'models',
    };
    const routes = routesOf({ ...ids, ...other }).filter(
      ({ method, template }) =>
        method === 'GET' && !template.endsWith('/activity/stream') && !template.endsWith('/turns/{turnId}/stream'),
    );
    expect(routes.length).toBeGreaterThan(50);
    for (const { path } of routes) {
      const reply = await owner.raw('GET', path);
      keep(path, reply);
      if (Object.values(ids).some((id) => path.includes(id)))
        expect([path, reply.status]).toEqual([path, expect.not.stringMatching(/^[45]/)]);
    }
    const replay = await owner.stream(`/agents/${ids['agentId']}/turns/${ids['turnId']}/stream`, undefined);
    keep('replay', await replay.all());
    for (const page of ['/console', '/', '/docs']) {
      const reply = await owner.raw('GET', page);
      keep(page, reply);
      // Files of a page, as a browser fetches them.
      for (const [, file] of JSON.stringify(reply).matchAll(/(?:src|href)=\\?["'](\/[^"'\\]+)/g))
        keep(`${page} ${file}`, await owner.raw('GET', file ?? ''));
    }
    expect(answers.filter(({ from }) => /^\/(console|docs) /.test(from)).length).toBeGreaterThan(3);
    const exported = answers.find(({ from }) => from.endsWith('/export'));
    expect(exported?.text).toContain('***');
    expect(answers.filter(({ text }) => hasCanary(text, values)).map(({ from }) => from)).toEqual([]);
  }, 300_000);

  it('is in no span, and spans of all services were sent', async () => {
    await until(() => SERVICES.every((name) => collector.spans.some(({ service }) => service === name)));
    expect(collector.spans.some(({ attributes }) => JSON.stringify(attributes).includes('effects__act'))).toBe(true);
    expect(collector.texts.filter((text) => hasCanary(text, values))).toEqual([]);
  });

  it('is in no dead letter, although one holds what was echoed', async () => {
    const letters = await until(
      async () => {
        // Eight attempts take most of a minute.
        await platform.database.query(
          `update task.inbox_failure set attempts = 7 where error like '%refused: %' and attempts < 7`,
        );
        const found = await deadLetters();
        return found.length > 0 ? found : null;
      },
      { timeoutMs: 120_000 },
    );
    expect(letters.some(({ text }) => text.includes('***'))).toBe(true);
    expect(letters.filter(({ text }) => hasCanary(text, values))).toEqual([]);
  }, 300_000);

  it('is in no table, stream, value of Redis, log or metric', async () => {
    // It reads all that the tests before it have left.
    expect(await findCanaries(platform, values)).toEqual([]);
  }, 300_000);

  it('is in no backup', async () => {
    const dump = await run(findBinary('pg_dump') ?? 'pg_dump', [`--dbname=${platform.state.databaseUrl}`], {
      maxBuffer: 1024 ** 3,
    });
    // Control: the secret exists as a row with an encrypted value.
    expect(dump.stdout).toContain('CANARY');
    expect(hasCanary(dump.stdout, values)).toBe(false);
  }, 300_000);
});
