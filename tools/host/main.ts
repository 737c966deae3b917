import 'reflect-metadata';
import { Logger as NestLogger } from '@nestjs/common';
import { inTracerScope } from '@switchyard/kernel';
import {
  type Hosting,
  Logger,
  Neighbours,
  NestLog,
  type RunningService,
  failStart,
  untilStopped,
} from '@switchyard/service';
import { STOP_ALL_BUT_LAST } from '../launcher/stop-order';
import { SERVICES, type ServiceName } from '../launcher/service-names';
import { hostedSettings } from './host-environment';
import { HOSTED_SERVICES } from './hosted-services';
import { logLevelOf } from './log-level';
import { StagedStop, stopOf } from './staged-stop';

const isService = (name: string): name is ServiceName => (SERVICES as readonly string[]).includes(name);

async function startHosted(service: string, hosting: Hosting): Promise<RunningService> {
  if (!isService(service)) throw new Error('there is no such service');
  const start = (): Promise<RunningService> => HOSTED_SERVICES[service](hosting);
  return hosting.settings['OTEL_EXPORTER_OTLP_ENDPOINT'] ? inTracerScope(start) : start();
}

/** Starts several services in this process. Each has its own settings, connections, metrics, log name and internal port. */
async function host(): Promise<void> {
  const hosted = hostedSettings(process.env);
  const name = hosted.map(([service]) => service).join('+');
  const [[, firstSettings] = ['', {}]] = hosted;
  const logger = new Logger(name, logLevelOf(firstSettings));
  const neighbours = new Neighbours();
  const starting = hosted.map(
    ([service, settings], index) =>
      [service, startHosted(service, { settings, neighbours, isFirst: index === 0 })] as const,
  );
  const stop = new StagedStop(new Map(starting.map(([service, started]) => [service, stopOf(started)])));
  // From now on: one service may have work while another one still starts.
  process.on(STOP_ALL_BUT_LAST, () => void stop.allButLast());
  untilStopped(name, logger, () => stop.all());
  await Promise.all(
    starting.map(([service, started]) =>
      started.catch((error: unknown) => {
        // At a stop, the others end in order first.
        if (!stop.hasBegun) failStart(service, error);
      }),
    ),
  );
  // Nest has one log for all applications of a process; each of them has replaced it.
  NestLogger.overrideLogger(new NestLog(logger));
}

host().catch((error: unknown) => failStart('host', error));
