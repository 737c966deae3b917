import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Neighbour, Scene } from '../neighbour';

const SLOW = '@@delay 20000\n@@reply At last.';

const slowAgent = ({ hostile }: Scene): Promise<string> =>
  hostile.make('/api/agents', { name: 'Slow', model: 'sim-chat', systemPrompt: 'You take your time.' });

/** Settings that a Space may ask for; where they are refused, the usual ones hold. */
async function asMuchAsAllowed({ space }: Scene): Promise<void> {
  for (const settings of [{ taskConcurrency: 1_000 }, { jobConcurrency: 1_000 }])
    await space.owner.patch(`/spaces/${space.id}`, { settings });
}

export const waitingSteps: Neighbour = {
  name: 'waiting-agent-steps',
  bound: 'workers of the task service',
  prepare: async (scene) => {
    const { hostile } = scene;
    await asMuchAsAllowed(scene);
    const agentId = await slowAgent(scene);
    const taskId = await hostile.make('/api/tasks', {
      name: 'Wait',
      type: 'MANUAL',
      active: true,
      concurrency: { limit: 100, policy: 'QUEUE' },
      steps: [{ id: 'ask', type: 'agent', with: { agentId, inputs: { query: SLOW } } }],
    });
    return {
      run: () => hostile.lanes(scene.size(10, 20), () => hostile.ask(`/api/tasks/${taskId}/execute`, { body: {} })),
    };
  },
};

export const waitingJobs: Neighbour = {
  name: 'waiting-jobs',
  bound: 'workers of the job service',
  prepare: async (scene) => {
    await asMuchAsAllowed(scene);
    const body = {
      type: 'AGENT_INVOKE',
      agentId: await slowAgent(scene),
      input: { contents: [{ type: 'text', text: SLOW }] },
    };
    return {
      run: () => scene.hostile.lanes(scene.size(10, 20), () => scene.hostile.ask('/api/agent-jobs', { body })),
    };
  },
};

/** A text that the filters of a template make larger with each step. */
export const growingTemplates: Neighbour = {
  name: 'growing-templates',
  bound: 'bytes that templates make',
  prepare: async (scene) => {
    const { hostile } = scene;
    const ten = "replace: 'a', 'aaaaaaaaaa'";
    const grown = `{{ execution.inputs.seed | ${Array.from({ length: 9 }, () => ten).join(' | ')} }}`;
    const twice = Array.from({ length: 40 }, () => '{{ execution.inputs.large }}').join('');
    const steps = [
      { id: 'grow', type: 'transform', continueOnError: true, with: { text: grown } },
      ...Array.from({ length: 12 }, (_, n) => ({
        id: `sum${n}`,
        type: 'transform',
        continueOnError: true,
        with: { text: twice },
      })),
    ];
    const taskId = await hostile.make('/api/tasks', { name: 'Grow', type: 'MANUAL', active: true, steps });
    const body = { inputs: { seed: 'a', large: 'y'.repeat(100_000) } };
    return {
      run: () => hostile.lanes(scene.size(2, 6), () => hostile.ask(`/api/tasks/${taskId}/execute`, { body })),
    };
  },
};

/** Calls to an address that takes them and never answers, and to unknown names. */
export const silentAddresses: Neighbour = {
  name: 'silent-addresses',
  bound: 'outgoing calls and names of a Space',
  prepare: async (scene) => {
    const { hostile } = scene;
    await asMuchAsAllowed(scene);
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve));
    const { port } = server.address() as AddressInfo;
    const urls = [`http://127.0.0.2:${port}/`, 'http://{{ execution.inputs.name }}.nobody-knows.example/'];
    const steps = urls.map((url, at) => ({
      id: `call${at}`,
      type: 'http',
      continueOnError: true,
      with: { url, timeoutSeconds: 10 },
    }));
    const taskId = await hostile.make('/api/tasks', {
      name: 'Call',
      type: 'MANUAL',
      active: true,
      concurrency: { limit: 100, policy: 'QUEUE' },
      steps,
    });
    let called = 0;
    const call = (): ReturnType<typeof hostile.ask> =>
      hostile.ask(`/api/tasks/${taskId}/execute`, { body: { inputs: { name: `n${(called += 1)}` } } });
    return {
      run: () => hostile.lanes(scene.size(10, 20), call),
      close: () => {
        server.closeAllConnections();
        server.close();
      },
    };
  },
};
