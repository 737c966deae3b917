import { request } from 'node:http';
import type { Socket } from 'node:net';
import { ClientRequest, type AnswerReader } from './client-request';
import { PIECE_BYTES, MUX_PROTOCOL } from './mux-limits';
import { FrameKind, type MuxFrame, headPrefix, splitHead } from './mux-frames';
import { MuxConnection } from './mux-connection';

/** The other side answers and accepts no connection: it is stopping, or does not serve this path. */
export class MuxRefused extends Error {}

const CONNECT_MS = 3_000;

/** One connection, at the side that calls. */
export class ClientConnection {
  private readonly calls = new Map<number, ClientRequest>();
  private readonly line: MuxConnection;
  private last = 0;
  /** New calls go over another line, and this one closes with its last call. */
  private isRetired = false;

  private constructor(
    socket: Socket,
    head: Buffer,
    private readonly onClosed: () => void,
  ) {
    this.line = new MuxConnection(
      socket,
      (frame) => {
        this.receive(frame);
      },
      () => {
        this.break();
      },
    );
    this.line.begin(head);
  }

  static connect(url: URL, path: string, onClosed: () => void): Promise<ClientConnection> {
    return new Promise((resolve, reject) => {
      const upgrade = request({
        host: url.hostname.replace(/^\[|\]$/g, ''),
        port: url.port === '' ? 80 : Number(url.port),
        path,
        headers: { connection: 'Upgrade', upgrade: MUX_PROTOCOL },
        agent: false,
        timeout: CONNECT_MS,
      });
      upgrade.once('upgrade', (_answer, socket: Socket, head) => {
        resolve(new ClientConnection(socket, head, onClosed));
      });
      upgrade.once('response', (answer) => {
        answer.destroy();
        reject(new MuxRefused(`the other side answered ${answer.statusCode ?? 0}`));
      });
      upgrade.once('timeout', () => upgrade.destroy(new Error(`no answer within ${CONNECT_MS / 1000} seconds`)));
      upgrade.once('error', reject);
      upgrade.end();
    });
  }

  get isUsable(): boolean {
    return !this.isRetired && !this.line.isClosed;
  }

  get running(): number {
    return this.calls.size;
  }

  ask(head: string, body: Buffer | null, reader: AnswerReader): ClientRequest {
    // A number comes again only after four billion calls.
    this.last = (this.last + 1) >>> 0;
    const number = this.last;
    const call = new ClientRequest(this.line, number, reader, () => {
      this.calls.delete(number);
      this.closeWhenIdle();
    });
    this.calls.set(number, call);
    if (body === null) this.line.send(FrameKind.openWhole, number, headPrefix(head));
    else if (body.length <= PIECE_BYTES) this.line.send(FrameKind.openWhole, number, headPrefix(head), body);
    else void this.sendPieces(call, number, head, body);
    return call;
  }

  retire(): void {
    this.isRetired = true;
    this.closeWhenIdle();
  }

  destroy(): void {
    this.line.destroy();
  }

  /** In pieces, between which others are heard. */
  private async sendPieces(call: ClientRequest, number: number, head: string, body: Buffer): Promise<void> {
    this.line.send(FrameKind.open, number, headPrefix(head), body.subarray(0, PIECE_BYTES));
    for (let at = PIECE_BYTES; at < body.length; at += PIECE_BYTES) {
      const drained = this.line.drained();
      if (drained) await drained;
      if (call.isOver) return;
      const isLast = at + PIECE_BYTES >= body.length;
      this.line.send(isLast ? FrameKind.bodyEnd : FrameKind.body, number, body.subarray(at, at + PIECE_BYTES));
    }
  }

  private receive({ kind, call: number, payload }: MuxFrame): void {
    if (kind === FrameKind.leaving) {
      this.retire();
      return;
    }
    const call = this.calls.get(number);
    if (!call) return;
    if (kind === FrameKind.bytes) call.reader.bytes(payload);
    else if (kind === FrameKind.answer || kind === FrameKind.answerWhole) {
      const { head, bytes } = splitHead(payload);
      const isWhole = kind === FrameKind.answerWhole;
      if (isWhole) call.over();
      call.reader.answer(head, bytes, isWhole);
    } else if (kind === FrameKind.end) {
      call.over();
      call.reader.end();
    } else if (kind === FrameKind.fail) {
      call.over();
      call.reader.fail(payload.toString());
    }
  }

  private closeWhenIdle(): void {
    if (this.isRetired && this.calls.size === 0) this.line.end();
  }

  private break(): void {
    const calls = [...this.calls.values()];
    for (const call of calls) {
      call.over();
      call.reader.fail(null);
    }
    this.onClosed();
  }
}
