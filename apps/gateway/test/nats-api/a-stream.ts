import { newId } from '@switchyard/kernel';
import { type NatsAccount, answerOf } from './nats-account';

/** A client that hears nothing for so long asks again. */
const SILENT_MS = 5_000;

export interface ReadStream {
  turnId: string;
  /** The data of each frame, by its number. */
  frames: Map<number, string>;
  /** Frames that came again with other data, and gaps. */
  faults: string[];
}

const isLast = (text: string): boolean => text.includes('"stream-ended"');

/**
 * One question, asked again with the same turn id or attached to behind its last frame, until the turn has ended: as a
 * client does whose gateway dies.
 */
export async function readThroughFaults(account: NatsAccount, agentId: string, text: string): Promise<ReadStream> {
  const read: ReadStream = { turnId: newId(), frames: new Map(), faults: [] };
  for (;;) {
    const last = read.frames.size;
    const hasEnded =
      last === 0
        ? await readOnce(account, `agents.${agentId}.chat`, read, {
            body: { turnId: read.turnId, contents: [{ type: 'text', text }] },
          })
        : await readOnce(account, `turns.${agentId}.${read.turnId}.attach`, read, { last });
    if (hasEnded) return read;
  }
}

/** Resolves with whether the turn has ended; false after a refusal, a lost stream or a silence. */
function readOnce(
  account: NatsAccount,
  operation: string,
  read: ReadStream,
  { body, last }: { body?: object; last?: number },
): Promise<boolean> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const inbox = account.inbox();
    const end = (hasEnded: boolean): void => {
      clearTimeout(timer);
      subscription.unsubscribe();
      resolve(hasEnded);
    };
    const wait = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        end(false);
      }, SILENT_MS);
    };
    const again = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        end(false);
      }, 500);
    };
    const subscription = account.nats.subscribe(inbox, {
      callback: (error, message) => {
        if (error !== null) {
          again();
          return;
        }
        wait();
        const { headers, text, status } = answerOf(message);
        const seq = Number(headers['Switchyard-Frame']);
        if (seq > 0) note(read, seq, text);
        if (headers['Switchyard-Pace'] === 'true') message.respond();
        if (isLast(text)) end(true);
        else if (headers['Switchyard-End'] === 'true' || status >= 400) again();
      },
    });
    wait();
    account.nats.publish(account.subject(operation), body === undefined ? '' : JSON.stringify(body), {
      reply: inbox,
      ...(last === undefined ? {} : { headers: account.natsHeaders({ 'Switchyard-Last-Frame': String(last) }) }),
    });
  });
}

function note({ frames, faults }: ReadStream, seq: number, text: string): void {
  const earlier = frames.get(seq);
  if (earlier !== undefined && earlier !== text) faults.push(`frame ${seq} came again as another one`);
  if (earlier === undefined && seq !== frames.size + 1) faults.push(`frame ${seq} came after ${frames.size}`);
  frames.set(seq, text);
}
