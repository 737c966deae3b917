import type { TestSpace } from '@switchyard/testing';
import { CallerLoad, type CallerOptions } from '../caller-load';
import type { History } from '../history';
import { TurnClient, type TurnOutcome } from './turn-client';
import { planTurn } from './turn-script';

export interface ChatScene {
  space: TestSpace;
  agentId: string;
}

export async function setChatScene(space: TestSpace): Promise<ChatScene> {
  const localTools = [{ name: 'pay', description: 'Pays.', parameters: { type: 'object' } }];
  const agent = { name: 'Chaos', model: 'sim-chat', systemPrompt: 'You are a test.', tools: ['ask_user'], localTools };
  const reply = await space.owner.post('/agents', agent);
  if (reply.status !== 201) throw new Error(`no agent: ${reply.status} ${JSON.stringify(reply.body)}`);
  return { space, agentId: (reply.body as { data: { id: string } }).data.id };
}

const TURNS_IN_A_SESSION = 5;
const TURN_PATIENCE_MS = 180_000;

export interface ChatLoadOptions extends CallerOptions {
  turns: number;
}

/** So many turns, in sessions of a few, by callers who each wait for one turn before they begin the next. */
export class ChatLoad extends CallerLoad<TurnOutcome, ChatLoadOptions> {
  constructor(
    private readonly scene: ChatScene,
    history: History,
    seed: number,
    options: ChatLoadOptions,
  ) {
    super(history, seed, options.turns, options);
  }

  protected async runCaller(): Promise<void> {
    let sessionId: string | null = null;
    let count = 0;
    for (const { index, random } of this.tasks()) {
      if (count % TURNS_IN_A_SESSION === 0) sessionId = null;
      count += 1;
      const script = planTurn(random, index);
      const path = {
        client: this.scene.space.owner,
        agentId: this.scene.agentId,
        giveUpAt: this.giveUpWithin(TURN_PATIENCE_MS),
      };
      const outcome = await new TurnClient(path, script, sessionId).run();
      sessionId = outcome.sessionId ?? sessionId;
      this.outcomes.push(outcome);
      const { frames, ...received } = outcome;
      this.history.note({ turn: { ...received, frames: frames.length } });
    }
  }
}
