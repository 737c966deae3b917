import { type Client, type TestPlatform, type TestSpace, usePlatform } from '@switchyard/testing';
import { AgentSide } from './agent-side';

export interface AgentSides {
  space: TestSpace;
  ann: Client;
  ben: Client;
  agents: AgentSide;
  others: AgentSide;
}

/**
 * Two connections to the session service in the name of the agent service, and a Space with two members. The platform's
 * own agent service is stopped meanwhile: it would claim the turns that tests leave open. `started` gets them before the
 * first test.
 */
export function useAgentSides(
  { removeOpenTurns }: { removeOpenTurns: 'after each' | 'after all' },
  started: (sides: AgentSides) => void,
): TestPlatform {
  let sides: AgentSides | undefined;
  // Hooks run in their order: before `usePlatform` closes the connection to the database.
  const cleanUp = removeOpenTurns === 'after each' ? afterEach : afterAll;
  cleanUp(() => sides?.agents.removeOpenTurns());
  const platform = usePlatform();
  const runtime = platform.service('agent');
  let wasRunning = false;

  beforeAll(async () => {
    wasRunning = runtime.pid !== null;
    if (wasRunning) await runtime.stop();
    const space = await platform.newSpace();
    const members = Promise.all([space.member(), space.member()]);
    const connections = Promise.all([AgentSide.connect(platform), AgentSide.connect(platform)]);
    const [[ann, ben], [agents, others]] = await Promise.all([members, connections]);
    sides = { space, ann, ben, agents, others };
    started(sides);
  });
  afterAll(async () => {
    await Promise.all([sides?.agents.close(), sides?.others.close()]);
    if (!wasRunning) return;
    await runtime.start();
    await runtime.ready();
  });
  return platform;
}
