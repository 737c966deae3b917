import { Injectable } from '@nestjs/common';
import { actAs, type ClaimedTurn, type Ctx, type InteractionView, RelayCalls } from '@switchyard/contracts';
import { jsonBytes } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { advance } from '../../domain/turn-reducer';
import type { AgentRecord } from '../../domain/stored-agent';
import type { TurnInput } from '../../domain/turn-input';
import type { TurnState } from '../../domain/turn-state';
import { ContextWindowCheck } from '../run/context-window-check';
import { settledOf } from '../recovery/takeover';
import { modelsOf } from '../run/model-requests';
import { TurnContextLoader } from '../run/turn-context-loader';

/** A choice counts once: it is not taken while the model could not be asked to go on with it. */
@Injectable()
export class ResumeCheck {
  constructor(
    private readonly bus: Bus,
    private readonly maker: TurnContextLoader,
    private readonly fit: ContextWindowCheck,
  ) {}

  /** Throws why the turn could not go on. `claim` and `interaction` are as they would be with the answer. */
  async check(ctx: Ctx, agent: AgentRecord, claim: ClaimedTurn, interaction: InteractionView): Promise<void> {
    const { identity, turn } = claim;
    // After an approval, the turn's user pays, and the turn counts against the key that began it.
    const { userId, credentialId, credentialType, role, scopes } = identity;
    const payer =
      turn.userId === ctx.userId && credentialId === ctx.credentialId
        ? ctx
        : actAs(ctx, { userId, credentialId, credentialType, role, scopes });
    const { requestTokenCap } = await this.bus.call(RelayCalls.preflight, payer, modelsOf(agent));
    const saved = claim.state as { state: TurnState } | null;
    const update = saved && settledOf(saved.state, interaction);
    if (!saved || !update || isFarBelow(requestTokenCap, saved.state, claim, interaction)) return;
    const { spec, userHasLeft } = await this.maker.claimed(claim, { waited: true, traced: false });
    if (userHasLeft) return;
    const { state } = advance(spec.facts, saved.state, update);
    const refusal = await this.fit.refusalOfAnswer(payer, spec, state, requestTokenCap);
    if (refusal) throw refusal;
  }
}

/** The calls so far say what prompt and tools take; for the rest, a character is a token at most. */
function isFarBelow(cap: number, state: TurnState, claim: ClaimedTurn, answer: InteractionView): boolean {
  const { settings } = claim.input as unknown as TurnInput;
  const { usage } = state;
  const sent = usage.promptTokens + usage.completionTokens + jsonBytes([state, claim.input, answer]);
  return sent + 2 * (claim.context?.tokens ?? 0) + (settings.max_tokens ?? 0) <= cap;
}
