import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { noteActivity } from '@switchyard/concurrency';
import { MUX_PROTOCOL } from './mux-limits';
import { FrameKind, type MuxFrame, splitHead } from './mux-frames';
import { MuxConnection } from './mux-connection';
import { ServerRequest } from './server-request';

const ACCEPTED = `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${MUX_PROTOCOL}\r\n\r\n`;
const REFUSED = 'HTTP/1.1 426 Upgrade Required\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** Calls that come over kept connections, many at once over each. */
export class MuxServer {
  private readonly lines = new Set<MuxConnection>();
  private isLeaving = false;

  constructor(
    private readonly onCall: (call: ServerRequest) => void,
    /** Whether connections are accepted. A client tries again, and may reach another replica. */
    private readonly isOpen: () => boolean = () => true,
  ) {}

  /** A request to speak frames from here on. */
  readonly accept = (request: IncomingMessage, socket: Socket, head: Buffer): void => {
    if (request.headers.upgrade !== MUX_PROTOCOL || this.isLeaving || !this.isOpen()) {
      socket.end(REFUSED);
      return;
    }
    socket.write(ACCEPTED);
    const calls = new Map<number, ServerRequest>();
    const line: MuxConnection = new MuxConnection(
      socket,
      (frame) => {
        this.receive(line, calls, frame);
      },
      () => {
        this.lines.delete(line);
        for (const call of calls.values()) call.leave();
        calls.clear();
      },
    );
    this.lines.add(line);
    line.begin(head);
  };

  /** No more calls come over the lines there are; those that run go on. */
  leave(): void {
    this.isLeaving = true;
    for (const line of this.lines) line.send(FrameKind.leaving, 0);
  }

  close(): void {
    this.isLeaving = true;
    for (const line of this.lines) line.end();
  }

  private receive(
    line: MuxConnection,
    calls: Map<number, ServerRequest>,
    { kind, call: number, payload }: MuxFrame,
  ): void {
    if (kind === FrameKind.open || kind === FrameKind.openWhole) {
      noteActivity();
      const { head, bytes } = splitHead(payload);
      const call = new ServerRequest(line, number, Buffer.from(head), () => {
        calls.delete(number);
      });
      calls.set(number, call);
      call.take(bytes, kind === FrameKind.openWhole);
      this.onCall(call);
      return;
    }
    // Frames of a call that has ended meanwhile are on their way still.
    const call = calls.get(number);
    if (!call) return;
    if (kind === FrameKind.body) call.take(payload, false);
    else if (kind === FrameKind.bodyEnd) call.take(payload, true);
    else if (kind === FrameKind.credit) call.credit(payload.readUInt32BE(0));
    else if (kind === FrameKind.abort) {
      calls.delete(number);
      call.leave();
    }
  }
}
