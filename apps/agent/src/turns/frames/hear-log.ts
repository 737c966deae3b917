import type { FrameLog } from '@switchyard/messaging';
import { HeardFrames } from '../../domain/heard-frames';

/** What the log has of a turn, as far as it is kept. */
export async function hearLog(log: FrameLog, key: string, signal: AbortSignal): Promise<HeardFrames> {
  const heard = new HeardFrames();
  for await (const frames of log.read(key, null, signal)) for (const frame of frames) heard.take(frame);
  return heard;
}
