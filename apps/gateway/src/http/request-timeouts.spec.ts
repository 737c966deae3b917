import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { RequestTimeouts } from './request-timeouts';

class Sender extends EventEmitter {
  readonly headers = { 'content-length': '1000000' };
  complete = false;
  readableLength = 0;
  events = '';
  isEnded = false;
  readonly socket = {
    bytesRead: 0,
    destroyed: false,
    writable: true,
    write: (text: string): void => {
      this.events += text;
    },
    destroySoon: (): void => undefined,
  };

  destroy(): void {
    this.isEnded = true;
  }
}

describe('bodies that arrive', () => {
  let clock: number;
  let requestTimeouts: RequestTimeouts;
  let sender: Sender;

  beforeEach(() => {
    clock = 0;
    requestTimeouts = new RequestTimeouts({ bodyMs: 60_000, stallMs: 30_000 }, () => clock);
    sender = new Sender();
  });

  const watch = (isUpload: boolean): void => {
    requestTimeouts.watch(sender as unknown as IncomingMessage, isUpload);
  };
  const after = (ms: number, bytes = 0): void => {
    clock += ms;
    sender.socket.bytesRead += bytes;
    requestTimeouts.check();
  };

  it('have a minute, however they come', () => {
    watch(false);
    for (let n = 0; n < 12; n += 1) after(5000, 100_000);
    expect(sender.isEnded).toBe(false);
    after(5000, 100_000);
    expect([sender.isEnded, sender.events.startsWith('HTTP/1.1 408 ')]).toEqual([true, true]);
  });

  it('may take hours as an upload that moves', () => {
    watch(true);
    for (let n = 0; n < 500; n += 1) after(20_000, 5000);
    expect(sender.isEnded).toBe(false);
  });

  it('are cut off as an upload that trickles', () => {
    watch(true);
    for (let n = 0; n < 7; n += 1) after(5000, 1);
    expect(sender.isEnded).toBe(true);
  });

  it('have time while we are the slow ones', () => {
    watch(true);
    sender.readableLength = 65_536;
    for (let n = 0; n < 50; n += 1) after(20_000);
    expect(sender.isEnded).toBe(false);
    sender.readableLength = 0;
    after(31_000);
    expect(sender.isEnded).toBe(true);
  });

  it('have a minute for the rest when they were refused before their end', () => {
    watch(true);
    sender.emit('close');
    for (let n = 0; n < 11; n += 1) after(5000, 100_000);
    expect(sender.isEnded).toBe(false);
    for (let n = 0; n < 2; n += 1) after(5000, 100_000);
    expect(sender.isEnded).toBe(true);
  });

  it('are left alone once they are whole', () => {
    watch(false);
    sender.complete = true;
    after(100_000);
    expect(sender.isEnded).toBe(false);
  });
});
