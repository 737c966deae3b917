import type { TestSpace } from '@switchyard/testing';
import type { History } from '../history';
import { Random } from '../random';
import type { Work } from '../strike';
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

export interface ChatLoadOptions {
  turns: number;
  callers: number;
  giveUpAt: number;
}

/** So many turns, in sessions of a few, by callers who each wait for one turn before they begin the next. */
export class ChatLoad implements Work {
  readonly outcomes: TurnOutcome[] = [];
  private next = 0;

  constructor(
    private readonly scene: ChatScene,
    private readonly history: History,
    private readonly seed: number,
    private readonly options: ChatLoadOptions,
  ) {}

  get accepted(): number {
    return this.outcomes.length;
  }

  get isOver(): boolean {
    return this.outcomes.length >= this.options.turns || Date.now() > this.options.giveUpAt;
  }

  async run(): Promise<void> {
    await Promise.all(Array.from({ length: this.options.callers }, () => this.caller()));
  }

  private async caller(): Promise<void> {
    let sessionId: string | null = null;
    for (let held = 0; this.next < this.options.turns && Date.now() < this.options.giveUpAt; held += 1) {
      const index = this.next;
      this.next += 1;
      if (held % TURNS_IN_A_SESSION === 0) sessionId = null;
      // The same turns for the same seed, whoever comes to them first.
      const script = planTurn(new Random(this.seed + index), index);
      const place = {
        client: this.scene.space.owner,
        agentId: this.scene.agentId,
        giveUpAt: Math.min(this.options.giveUpAt, Date.now() + TURN_PATIENCE_MS),
      };
      const outcome = await new TurnClient(place, script, sessionId).run();
      sessionId = outcome.sessionId ?? sessionId;
      this.outcomes.push(outcome);
      const { frames, ...told } = outcome;
      this.history.note({ turn: { ...told, frames: frames.length } });
    }
  }
}
