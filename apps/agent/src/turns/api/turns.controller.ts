import { Controller } from '@nestjs/common';
import {
  AgentCalls,
  AgentStreams,
  AttachTurn,
  CancelOutcome,
  CancelRequested,
  CancelTurn,
  type Ctx,
  type InboxInteraction,
  InSpace,
  KeySignals,
  type MemberTouched,
  ListInteractions,
  Nothing,
  type Page,
  RelaySignals,
  ResumeTurn,
  SessionSignals,
  StartChat,
  StartExecute,
  SubmitToolResult,
  ToolAnswered,
  ToolResultOutcome,
  TurnById,
  TurnResult,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { ContentCapture, SpacePolicyCache } from '@switchyard/service';
import { LocalToolCalls } from '../../tools/local-tool-calls';
import { PreflightCache } from '../limits/preflight-cache';
import { ApprovalRules } from '../run/approval-rules';
import { ActiveTurns } from '../run/active-turns';
import { Inbox } from './inbox';
import { TurnClaimer } from '../recovery/turn-claimer';
import { TurnsService } from './turns.service';

@Controller()
export class TurnsController {
  constructor(
    private readonly turns: TurnsService,
    private readonly activeTurns: ActiveTurns,
    private readonly claimer: TurnClaimer,
    private readonly local: LocalToolCalls,
    private readonly approvals: ApprovalRules,
    private readonly inbox: Inbox,
    private readonly capture: ContentCapture,
    private readonly preflightCache: PreflightCache,
    private readonly policies: SpacePolicyCache,
  ) {}

  @Handles(AgentStreams.chat)
  chatStream(data: StartChat, ctx: Ctx): Promise<AsyncIterable<string>> {
    return this.turns.chatStream(ctx, data);
  }

  @Handles(AgentStreams.execute)
  executeStream(data: StartExecute, ctx: Ctx): Promise<AsyncIterable<string>> {
    return this.turns.executeStream(ctx, data);
  }

  @Handles(AgentStreams.resume)
  resume(data: ResumeTurn, ctx: Ctx): Promise<AsyncIterable<string>> {
    return this.turns.resume(ctx, data);
  }

  @Handles(AgentStreams.attach)
  attach(data: AttachTurn, ctx: Ctx): Promise<AsyncIterable<string>> {
    return this.turns.attach(ctx, data);
  }

  @Handles(AgentCalls.chat)
  chat(data: StartChat, ctx: Ctx): Promise<TurnResult> {
    return this.turns.chat(ctx, data);
  }

  @Handles(AgentCalls.execute)
  execute(data: StartExecute, ctx: Ctx): Promise<TurnResult> {
    return this.turns.execute(ctx, data);
  }

  @Handles(AgentCalls.turnResult)
  turnResult(data: TurnById, ctx: Ctx): Promise<TurnResult> {
    return this.turns.turnResult(ctx, data);
  }

  @Handles(AgentCalls.cancelTurn)
  cancel(data: CancelTurn, ctx: Ctx): Promise<CancelOutcome> {
    return this.turns.cancel(ctx, data);
  }

  @Handles(AgentCalls.submitToolResult)
  submitToolResult(data: SubmitToolResult, ctx: Ctx): Promise<ToolResultOutcome> {
    return this.turns.submitToolResult(ctx, data);
  }

  @Handles(AgentCalls.listInteractions)
  listInteractions(data: ListInteractions, ctx: Ctx): Promise<Page<InboxInteraction>> {
    return this.inbox.list(ctx, data);
  }

  @Handles(KeySignals.settingsChanged)
  onSettingsChanged({ spaceId }: InSpace): void {
    this.policies.invalidate(spaceId);
    this.approvals.invalidate(spaceId);
    this.capture.invalidate(spaceId);
    this.preflightCache.invalidate(spaceId);
  }

  @Handles(RelaySignals.accountChanged)
  onAccountChanged({ spaceId }: InSpace): void {
    this.preflightCache.invalidate(spaceId);
  }

  @Handles(KeySignals.memberChanged)
  onMemberChanged(data: MemberTouched): Promise<void> {
    return this.activeTurns.dismiss(data);
  }

  @Handles(SessionSignals.cancelRequested)
  onCancelRequested(data: CancelRequested): void {
    this.activeTurns.cancel(data.key);
  }

  @Handles(SessionSignals.turnsClaimable)
  onTurnsClaimable(_data: Nothing): void {
    this.claimer.look();
  }

  @Handles(SessionSignals.toolAnswered)
  onToolAnswered(data: ToolAnswered): void {
    this.local.answered(data.key, data.callId);
  }
}
