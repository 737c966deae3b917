import { StopSentence } from '../stop-sentence';
import { runStep } from './run-step';

const WITHIN_MS = 60_000;

interface Streams {
  natsUrl: string;
  nkeySeed: string | undefined;
  environment: NodeJS.ProcessEnv;
}

function numberFrom(environment: NodeJS.ProcessEnv, name: string): number | undefined {
  const text = environment[name];
  if (!text) return undefined;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new StopSentence(`${name} is ${text}; it must be a number.`);
  return number;
}

/** Makes the streams of this NATS, or changes them to what is set. */
export async function prepareStreams({ natsUrl, nkeySeed, environment }: Streams): Promise<void> {
  const sizes = {
    replicas: numberFrom(environment, 'NATS_STREAM_REPLICAS'),
    eventsMaxBytes: numberFrom(environment, 'NATS_EVENTS_MAX_BYTES'),
    framesMaxBytes: numberFrom(environment, 'NATS_FRAMES_MAX_BYTES'),
  };
  await runStep('streams', 'make the streams of NATS', { natsUrl, nkeySeed, sizes, withinMs: WITHIN_MS });
}
