import type { Http } from '../http/http';
import type { Answer, InboxInteraction, Interaction, Turn, TurnStatus } from '../records/turn';
import type { TurnAddress } from '../stream/turn-connection';
import { streamHeaders } from '../stream/turn-connection';
import { resumeRequest, type StreamOptions, TurnStream } from '../stream/turn-stream';
import { getPage, type Page, type PageQuery } from './page';

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
    const body = {
      sessionId: interaction.sessionId,
      interactionId: interaction.id,
      selectedOptionIds: answer.selectedOptionIds,
      otherText: answer.otherText ?? null,
    };
    const begin = resumeRequest(this.http, address, body);
    return TurnStream.open(this.http, address, begin, { ...options, sessionId: interaction.sessionId });
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
    outcome: { sessionId?: string | null; callId: string; result?: unknown; error?: string },
  ): Promise<void> {
    await this.http.data({ method: 'POST', path: `/agents/${agentId}/turns/${turnId}/tool-results`, body: outcome });
  }

  pendingInteractions(agentId: string, sessionId: string, query: PageQuery = {}): Promise<Page<Interaction>> {
    return getPage(this.http, `/agents/${agentId}/sessions/${sessionId}/interactions/pending`, query);
  }

  /** The inbox: the questions and approvals of the Space that the caller may answer, newest first. */
  interactions(query: InboxQuery = {}): Promise<Page<InboxInteraction>> {
    return getPage(this.http, '/interactions', query);
  }
}
