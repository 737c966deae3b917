import { type Ctx, serviceCtx, type StartChat } from '@switchyard/contracts';
import { newId } from '@switchyard/kernel';
import { TurnStarter } from './turn-starter';

it('opens no turn while a suspect is taken up, also if that began after the turn had its slot', async () => {
  const ctx: Ctx = { ...serviceCtx('agent'), spaceId: newId() };
  const steps: string[] = [];
  const weighed: number[] = [];
  let end = (): void => undefined;
  const slot = {
    mayBegin: () => {
      steps.push('waits');
      return new Promise<void>((resolve) => {
        end = resolve;
      });
    },
    leave: () => steps.push('leaves'),
  };
  const agent = {
    id: newId(),
    model: 'sim-chat',
    systemPrompt: 'You help.',
    settings: {},
    tools: [],
    promptVariables: [],
    version: 1,
    knowledge: [],
    fallbackModels: [],
  };
  const others = {
    agents: { startable: () => Promise.resolve(agent), checkOwnOf: () => Promise.resolve() },
    bus: { call: () => (steps.push('opens'), Promise.reject(new Error('the session is away'))) },
    maker: { prepared: () => Promise.resolve({ tools: { definitionBytes: 70_000 } }) },
    slots: { take: () => Promise.resolve(slot) },
    fit: { contextTokenLimit: () => null },
    heavy: {
      runIfLarge: (_ctx: Ctx, bytes: number, work: () => Promise<unknown>) => (weighed.push(bytes), work()),
    },
    allowances: { ask: () => Promise.resolve({ contextWindow: 8192, requestTokenCap: null }) },
  };
  const starter = new TurnStarter(
    ...([
      others.agents,
      others.bus,
      { owner: 'me' },
      others.maker,
      {},
      { isConfigured: false },
      others.slots,
      others.fit,
      others.allowances,
      others.heavy,
    ] as unknown as ConstructorParameters<typeof TurnStarter>),
  );
  const chat = { agentId: agent.id, contents: [{ type: 'text', text: 'Hi' }] } as unknown as StartChat;
  const started = starter.chat(ctx, chat).catch((error: unknown) => error);
  for (let turn = 0; turn < 100 && steps.length === 0; turn += 1) await new Promise(setImmediate);
  expect(steps).toEqual(['waits']);
  end();
  expect(await started).toEqual(new Error('the session is away'));
  expect(steps).toEqual(['waits', 'opens', 'leaves']);
  // Prompt and message count for the check of the balance, the tools as well for the opening.
  expect(weighed).toEqual(['You help.Hi'.length, 'You help.Hi'.length + 70_000]);
});
