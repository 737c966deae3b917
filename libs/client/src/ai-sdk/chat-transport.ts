import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai';
import { SwitchyardClient } from '../client';
import { SwitchyardError, TurnFailedError } from '../http/errors';
import type { ClientOptions } from '../http/options';
import type { ChatRequest } from '../records/turn';
import type { Frame } from '../stream/frame';
import { eventOf, isEvent } from '../stream/turn-event';
import type { TurnStream } from '../stream/turn-stream';
import { ChatMemory, type ChatStorage, type ChatRecord } from './chat-memory';
import { readHistory } from './session-history';
import type { SwitchyardMessage } from './ui-message-types';
import { arrives, callsWithOutcome, withoutVoid } from './filter-replayed-frames';
import { decisionOf, outcomesOf } from './tool-parts';
import { UiChunks } from './ui-chunks';
import { contentsOf } from './user-contents';

export interface SwitchyardChatTransportOptions extends ClientOptions {
  agentId: string;
  /** The conversation that the chat goes on with. Without it the first message begins one. */
  sessionId?: string;
  /** Keeps which conversation each chat is, so that `reconnectToStream` finds it after a reload. */
  storage?: ChatStorage;
}

export interface QuestionAnswer {
  interactionId: string;
  selectedOptionIds: string[];
  otherText?: string | null;
}

type SendOptions<MESSAGE extends UIMessage> = Parameters<ChatTransport<MESSAGE>['sendMessages']>[0];
type ReconnectOptions<MESSAGE extends UIMessage> = Parameters<ChatTransport<MESSAGE>['reconnectToStream']>[0];

/** One reading of a turn; `stop` ends the reading, and not the turn. */
interface Reading {
  stream: TurnStream;
  signal: AbortSignal;
  stop: () => void;
}

/** A replay comes at once. A model that speaks without a pause is not waited for any longer than this. */
const REPLAY_LULL_MS = 40;
const REPLAY_MS = 1000;

const isRemoved = (error: unknown): boolean => error instanceof SwitchyardError && [404, 410].includes(error.status);

/**
 * The transport of `useChat` to an agent. Broken connections are restored beneath it; `stop` cancels the turn at the
 * server; what waits for a person or for the page (questions, approvals, local tools) goes on with the same message.
 */
export class SwitchyardChatTransport<MESSAGE extends UIMessage = SwitchyardMessage> implements ChatTransport<MESSAGE> {
  readonly client: SwitchyardClient;
  private readonly memory: ChatMemory;
  private readonly agentId: string;
  /** The latest reading of each chat. */
  private readonly readings = new Map<string, symbol>();

  constructor({ agentId, sessionId, storage, ...options }: SwitchyardChatTransportOptions) {
    this.client = new SwitchyardClient(options);
    this.agentId = agentId;
    this.memory = new ChatMemory(storage, sessionId);
  }

  async sendMessages(options: SendOptions<MESSAGE>): Promise<ReadableStream<UIMessageChunk>> {
    const { chatId, messages, abortSignal } = options;
    const last = messages.at(-1);
    if (!last) throw new Error('There is no message to send.');
    if (last.role !== 'user') return this.continueTurn(chatId, last, abortSignal);
    const turnId = crypto.randomUUID();
    const contents = contentsOf(last);
    const sessionId = await this.sessionFor(options);
    this.memory.set(chatId, { sessionId, turnId, isOver: false, chunks: new UiChunks(turnId) });
    const request: ChatRequest = {
      ...options.body,
      contents,
      turnId,
      ...(sessionId === null ? {} : { session_id: sessionId }),
    };
    return this.read(chatId, abortSignal, (signal) => this.client.agents.chat(this.agentId, request, { signal }));
  }

  /** The turn that is under way, from its beginning; null where none is. */
  async reconnectToStream({
    chatId,
    abortSignal,
  }: ReconnectOptions<MESSAGE>): Promise<ReadableStream<UIMessageChunk> | null> {
    // First of all: an older reading that is stopped for this one does not cancel its turn.
    this.readings.set(chatId, Symbol(chatId));
    const turnId = await this.turnToResume(chatId);
    if (turnId === null) return null;
    this.memory.set(chatId, { turnId, isOver: false, chunks: new UiChunks(turnId) });
    try {
      return await this.read(chatId, abortSignal, (signal) => this.attach(turnId, 0, signal), true);
    } catch (error) {
      if (!isRemoved(error)) throw error;
      this.memory.set(chatId, { isOver: true });
      return null;
    }
  }

  /**
   * Answers a question of the agent. The chat's `resumeStream()`, or `sendMessage()` without a message, then reads on.
   */
  async answer({ interactionId, selectedOptionIds, otherText }: QuestionAnswer): Promise<void> {
    const interaction = await this.pending(interactionId);
    const reading = new AbortController();
    await this.client.turns.resume(
      { agentId: this.agentId, turnId: interaction.turnId },
      { id: interactionId, sessionId: interaction.sessionId },
      { selectedOptionIds, otherText },
      { signal: reading.signal },
    );
    reading.abort();
  }

  /** The messages of a session: what a page shows first after a reload. */
  history(sessionId: string): Promise<SwitchyardMessage[]> {
    return readHistory(this.client, sessionId);
  }

  /** The session of a chat, once its first answer has begun. */
  sessionOf(chatId: string): string | null {
    return this.memory.get(chatId).sessionId;
  }

  private attach(turnId: string, after: number, signal: AbortSignal): Promise<TurnStream> {
    return this.client.turns.attach({ agentId: this.agentId, turnId }, { after, signal });
  }

  private async pending(interactionId: string): Promise<{ turnId: string; sessionId: string }> {
    const existing = this.memory.askedBy(interactionId)?.chunks?.interaction;
    if (existing) return existing;
    const { items } = await this.client.turns.interactions({ status: 'PENDING', agentId: this.agentId });
    const found = items.find(({ id }) => id === interactionId);
    if (!found) throw new SwitchyardError(404, 'NOT_FOUND', 'Question not found, or it is answered already.');
    return found;
  }

  /** An edited or regenerated message goes on from before it: in a copy of the conversation that ends there. */
  private async sessionFor({ chatId, messages, trigger, messageId }: SendOptions<MESSAGE>): Promise<string | null> {
    const before = messages.findLast(({ role }) => role === 'assistant')?.id;
    const existing = this.memory.get(chatId).sessionId ?? sessionIn(messages);
    if (existing === null || (trigger === 'submit-message' && messageId === undefined)) return existing;
    let last: string | undefined;
    for await (const { id, turnId } of this.client.sessions.transcript(existing)) if (turnId === before) last = id;
    if (last === undefined) return null;
    return (await this.client.sessions.fork(existing, { fromMessageId: last })).id;
  }

  private async turnToResume(chatId: string): Promise<string | null> {
    const { turnId, sessionId, isOver } = this.memory.get(chatId);
    if (turnId !== null) return isOver ? null : turnId;
    if (sessionId === null) return null;
    return (await this.client.sessions.get(sessionId)).activeTurnId;
  }

  /** The answer goes on with what the person or the page has decided: approvals, results of tools. */
  private async continueTurn(
    chatId: string,
    message: MESSAGE,
    abortSignal: AbortSignal | undefined,
  ): Promise<ReadableStream<UIMessageChunk>> {
    const turnId = message.id;
    const existing = this.memory.get(chatId);
    if (existing.turnId === turnId && existing.isOver)
      throw new Error('The turn is over: nothing is left to go on with.');
    const chunks = await this.readAlready(chatId, turnId);
    const sessionId = chunks.sessionId ?? '';
    const { interaction, lastSeq: after } = chunks;
    const decision = interaction?.purpose === 'approval' ? decisionOf(message, interaction) : null;
    if (interaction && decision) {
      const address = { agentId: this.agentId, turnId };
      const named = { id: interaction.id, sessionId };
      return this.read(chatId, abortSignal, (signal) =>
        this.client.turns.resume(address, named, decision, { after, signal }),
      );
    }
    for (const outcome of outcomesOf(message, chunks.waitingCalls)) {
      const handed = this.client.turns.submitToolResult({ agentId: this.agentId, turnId }, { sessionId, ...outcome });
      // Given already, or too late: the stream says what came of it.
      await handed.catch((error: unknown) => {
        if (!(error instanceof SwitchyardError && [404, 409].includes(error.status))) throw error;
      });
    }
    return this.read(chatId, abortSignal, (signal) => this.attach(turnId, after, signal));
  }

  /** How far the turn was read; after a reload it is read again, unseen. */
  private async readAlready(chatId: string, turnId: string): Promise<UiChunks> {
    const { chunks, turnId: existing } = this.memory.get(chatId);
    if (chunks && existing === turnId) return chunks;
    const reading = new AbortController();
    const stream = await this.attach(turnId, 0, reading.signal);
    const read = new UiChunks(turnId);
    const { frames } = await settled(stream.frames());
    for (const frame of withoutVoid(frames)) read.add(frame);
    reading.abort();
    this.memory.set(chatId, { turnId, sessionId: read.sessionId, isOver: false, chunks: read });
    return read;
  }

  private async read(
    chatId: string,
    abortSignal: AbortSignal | undefined,
    open: (signal: AbortSignal) => Promise<TurnStream>,
    isReplay = false,
  ): Promise<ReadableStream<UIMessageChunk>> {
    const mine = Symbol(chatId);
    this.readings.set(chatId, mine);
    const controller = new AbortController();
    const turnId = this.memory.get(chatId).turnId ?? '';
    // Opened to its end even when it is stopped meanwhile: only what is known to the server can be cancelled there.
    const opening = open(controller.signal).then((stream) => ({
      stream,
      signal: controller.signal,
      stop: () => {
        controller.abort();
      },
    }));
    const onAbort = (): void => {
      // A reading that replaces this one is begun in the same moment.
      setTimeout(() => {
        if (this.readings.get(chatId) === mine) void this.cancel(turnId, opening);
        else
          void opening.then(
            ({ stop }) => {
              stop();
            },
            () => undefined,
          );
      });
    };
    abortSignal?.addEventListener('abort', onAbort, { once: true });
    if (abortSignal?.aborted) onAbort();
    const reading = await unlessAborted(opening, abortSignal);
    const chunks = this.chunksOf(chatId, reading, isReplay);
    return new ReadableStream<UIMessageChunk>({
      async pull(sink) {
        try {
          const { done, value } = await chunks.next();
          if (done) sink.close();
          else sink.enqueue(value);
        } catch (error) {
          sink.error(error);
        }
      },
      cancel() {
        reading.stop();
      },
    });
  }

  private async cancel(turnId: string, opening: Promise<Reading>): Promise<void> {
    const reading = await opening.catch(() => null);
    const sessionId = reading?.stream.sessionId ?? null;
    await this.client
      .request({ method: 'POST', path: `/agents/${this.agentId}/turns/${turnId}/cancel`, body: { sessionId } })
      .catch(() => undefined);
    reading?.stop();
  }

  private async *chunksOf(chatId: string, first: Reading, isReplay: boolean): AsyncGenerator<UIMessageChunk, void> {
    const chat = this.memory.get(chatId);
    let chunks = chat.chunks as UiChunks;
    if (chunks.lastSeq > 0) yield chunks.start();
    let rest: AsyncIterator<Frame, void> = first.stream.frames();
    if (isReplay) {
      const replay = await settled(first.stream.frames());
      chunks = new UiChunks(chat.turnId ?? '', callsWithOutcome(replay.frames));
      this.memory.set(chatId, { chunks });
      for (const frame of withoutVoid(replay.frames)) yield* this.added(chatId, chunks, frame);
      rest = replay.rest;
    }
    for (;;) {
      yield* this.rest(chatId, chunks, rest);
      // A replay that ends with a question may be one of a turn that has its answer and goes on.
      if (!isReplay || chunks.interaction === null || !(await this.runs(chat))) break;
      rest = (await this.attach(chat.turnId ?? '', chunks.lastSeq, first.signal)).frames();
    }
    first.stop();
    if (chunks.error)
      throw new TurnFailedError(chunks.error.code, chunks.error.message, chat.turnId ?? '', chunks.lastSeq);
  }

  private async *rest(
    chatId: string,
    chunks: UiChunks,
    frames: AsyncIterator<Frame, void>,
  ): AsyncGenerator<UIMessageChunk, void> {
    for (;;) {
      const next = frames.next();
      if (chunks.waitsForHost && !(await arrives(next))) {
        // The page is to run a tool: it does so between two requests.
        next.catch(() => undefined);
        yield { type: 'finish-step' };
        yield { type: 'finish', finishReason: 'tool-calls' };
        return;
      }
      const { done, value } = await next;
      if (done) return;
      yield* this.added(chatId, chunks, value);
    }
  }

  private *added(chatId: string, chunks: UiChunks, frame: Frame): Generator<UIMessageChunk> {
    yield* chunks.add(frame);
    const event = eventOf(frame);
    if (isEvent(event, 'sessionStarted')) this.memory.set(chatId, { sessionId: chunks.sessionId });
    if (isEvent(event, 'streamEnded') && event.data.status !== 'WAITING_INPUT')
      this.memory.set(chatId, { isOver: true });
  }

  private async runs({ turnId }: ChatRecord): Promise<boolean> {
    const { status } = await this.client.turns.get({ agentId: this.agentId, turnId: turnId ?? '' });
    return status === 'RUNNING';
  }
}

function sessionIn(messages: readonly UIMessage[]): string | null {
  const metadata = messages.findLast(({ role }) => role === 'assistant')?.metadata as
    | { sessionId?: string }
    | undefined;
  return metadata?.sessionId ?? null;
}

/** The chunks that are available at once, and the rest of the stream. */
async function settled(
  frames: AsyncGenerator<Frame, void>,
): Promise<{ frames: Frame[]; rest: AsyncIterator<Frame, void> }> {
  const all: Frame[] = [];
  const until = Date.now() + REPLAY_MS;
  for (;;) {
    const next = frames.next();
    const isOverdue = all.length > 0 && Date.now() > until;
    if (isOverdue || (all.length > 0 && !(await arrives(next, REPLAY_LULL_MS)))) {
      let pending: Promise<IteratorResult<Frame, void>> | null = next;
      const rest = {
        next: (): Promise<IteratorResult<Frame, void>> => {
          const result = pending ?? frames.next();
          pending = null;
          return result;
        },
      };
      return { frames: all, rest };
    }
    const { done, value } = await next;
    if (done) return { frames: all, rest: frames };
    all.push(value);
  }
}

const unlessAborted = <T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      reject(new DOMException('The chat was stopped.', 'AbortError'));
    };
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject);
  });
