import { request } from 'node:http';
import type { Socket } from 'node:net';
import { AskedCall, type AnswerReader } from './asked-call';
import { PIECE_BYTES, ROAD_PROTOCOL } from './road-bounds';
import { FrameKind, type RoadFrame, headPrefix, splitHead } from './road-frames';
import { RoadLine } from './road-line';

/** The other side is there and does not speak frames: it is of the version before. */
export class RoadNotSpoken extends Error {}

const CONNECT_MS = 3_000;

/** One connection, at the side that calls. */
export class AskedLine {
  private readonly calls = new Map<number, AskedCall>();
  private readonly line: RoadLine;
  private last = 0;
  /** New calls go over another line, and this one closes with its last call. */
  private isRetired = false;

  private constructor(
    socket: Socket,
    head: Buffer,
    private readonly onGone: () => void,
  ) {
    this.line = new RoadLine(
      socket,
      (frame) => {
        this.hear(frame);
      },
      () => {
        this.break();
      },
    );
    this.line.begin(head);
  }

  static connect(url: URL, path: string, onGone: () => void): Promise<AskedLine> {
    return new Promise((resolve, reject) => {
      const asked = request({
        host: url.hostname.replace(/^\[|\]$/g, ''),
        port: url.port === '' ? 80 : Number(url.port),
        path,
        headers: { connection: 'Upgrade', upgrade: ROAD_PROTOCOL },
        agent: false,
        timeout: CONNECT_MS,
      });
      asked.once('upgrade', (_answer, socket: Socket, head) => {
        resolve(new AskedLine(socket, head, onGone));
      });
      asked.once('response', (answer) => {
        answer.destroy();
        reject(new RoadNotSpoken(`the other side answered ${answer.statusCode ?? 0}`));
      });
      asked.once('timeout', () => asked.destroy(new Error(`no answer within ${CONNECT_MS / 1000} seconds`)));
      asked.once('error', reject);
      asked.end();
    });
  }

  get isUsable(): boolean {
    return !this.isRetired && !this.line.isGone;
  }

  get running(): number {
    return this.calls.size;
  }

  ask(head: string, body: Buffer | null, reader: AnswerReader): AskedCall {
    // A number comes again only after four billion calls.
    this.last = (this.last + 1) >>> 0;
    const number = this.last;
    const call = new AskedCall(this.line, number, reader, () => {
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
  private async sendPieces(call: AskedCall, number: number, head: string, body: Buffer): Promise<void> {
    this.line.send(FrameKind.open, number, headPrefix(head), body.subarray(0, PIECE_BYTES));
    for (let at = PIECE_BYTES; at < body.length; at += PIECE_BYTES) {
      const room = this.line.room();
      if (room) await room;
      if (call.isOver) return;
      const isLast = at + PIECE_BYTES >= body.length;
      this.line.send(isLast ? FrameKind.bodyEnd : FrameKind.body, number, body.subarray(at, at + PIECE_BYTES));
    }
  }

  private hear({ kind, call: number, payload }: RoadFrame): void {
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
    this.onGone();
  }
}
