import { errorOf } from '../http/errors';
import type { Http } from '../http/http';
import type { Answer, InboxInteraction, Interaction, Turn, TurnStatus } from '../records/turn';
import type { TurnAddress } from '../stream/turn-connection';
import { earlierAnswer, isStream, streamHeaders } from '../stream/turn-connection';
import { outcomeOf, resumeRequest, type ResumeBody, type StreamOptions, TurnStream } from '../stream/turn-stream';
import { getPage, type Page, type PageQuery } from './paged-lists';

export interface InboxQuery extends PageQuery {
  status?: InboxInteraction['status'];
  purpose?: InboxInteraction['purpose'];
  agentId?: string;
  sessionId?: string;
}

/** `after`: the last frame that is known already. */
export type ReadingOptions = Pick<StreamOptions, 'after' | 'signal' | 'onConnection'>;

export class Turns {
  constructor(private readonly http: Http) {}

  get({ agentId, turnId }: TurnAddress): Promise<Turn> {
    return this.http.data({ method: 'GET', path: `/agents/${agentId}/turns/${turnId}` });
  }

  /** Reads a turn's frames from `after` on: what has happened already, then what happens. */
  attach(address: TurnAddress, options: ReadingOptions = {}): Promise<TurnStream> {
    const { agentId, turnId } = address;
    const headers = { ...streamHeaders, 'last-event-id': String(options.after ?? 0) };
    return TurnStream.open(
      this.http,
      address,
      (signal) => this.http.send({ method: 'GET', path: `/agents/${agentId}/turns/${turnId}/stream`, headers, signal }),
      options,
    );
  }

  /** Answers a question from anywhere: the stream starts behind `after`, the last frame that is known. */
  resume(
    address: TurnAddress,
    interaction: Pick<Interaction, 'id' | 'sessionId'>,
    answer: Answer,
    options: ReadingOptions = {},
  ): Promise<TurnStream> {
    const begin = resumeRequest(this.http, address, bodyOf(interaction, answer));
    return TurnStream.open(this.http, address, begin, { ...options, sessionId: interaction.sessionId });
  }

  /**
   * Answers a question and reads nothing of what follows. Gives null where the answer counts; otherwise the question as
   * it was answered before, with the answer that does.
   */
  async answer(
    address: TurnAddress,
    interaction: Pick<Interaction, 'id' | 'sessionId'>,
    answer: Answer,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<Interaction | null> {
    const response = await resumeRequest(this.http, address, bodyOf(interaction, answer))(signal);
    if (!response.ok) throw await errorOf(response);
    if (!isStream(response)) return earlierAnswer(response);
    // The turn goes on by itself.
    await response.body?.cancel();
    return null;
  }

  cancel(
    { agentId, turnId }: TurnAddress,
    sessionId: string,
  ): Promise<{ turn_id: string; status: TurnStatus | 'CANCELLING' }> {
    return this.http.data({ method: 'POST', path: `/agents/${agentId}/turns/${turnId}/cancel`, body: { sessionId } });
  }

  /** The outcome of a tool that the host has run, also for a turn whose stream is read elsewhere. */
  async submitToolResult(
    { agentId, turnId }: TurnAddress,
    { sessionId, callId, ...outcome }: { sessionId?: string | null; callId: string; result?: unknown; error?: string },
  ): Promise<void> {
    const body = { sessionId, callId, ...outcomeOf(outcome) };
    await this.http.data({ method: 'POST', path: `/agents/${agentId}/turns/${turnId}/tool-results`, body });
  }

  pendingInteractions(agentId: string, sessionId: string, query: PageQuery = {}): Promise<Page<Interaction>> {
    return getPage(this.http, `/agents/${agentId}/sessions/${sessionId}/interactions/pending`, query);
  }

  /** The inbox: the questions and approvals of the Space that the caller may answer, newest first. */
  interactions(query: InboxQuery = {}): Promise<Page<InboxInteraction>> {
    return getPage(this.http, '/interactions', query);
  }
}

const bodyOf = (interaction: Pick<Interaction, 'id' | 'sessionId'>, answer: Answer): ResumeBody => ({
  sessionId: interaction.sessionId,
  interactionId: interaction.id,
  selectedOptionIds: answer.selectedOptionIds,
  otherText: answer.otherText ?? null,
});
