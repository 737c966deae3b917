import 'reflect-metadata';
import { Logger as NestLogger } from '@nestjs/common';
import { inTracerScope } from '@switchyard/kernel';
import { type Hosting, Logger, NestLog, type RunningService, failStart, untilStopped } from '@switchyard/service';
import { STOP_ALL_BUT_LAST } from '../launcher/stop-order';
import { SERVICES, type ServiceName } from '../launcher/service-names';
import { hostedSettings } from './host-environment';
import { HOSTED_SERVICES } from './hosted-services';
import { StagedStop } from './staged-stop';

const isService = (name: string): name is ServiceName => (SERVICES as readonly string[]).includes(name);

async function startHosted(service: string, hosting: Hosting): Promise<[string, RunningService]> {
  try {
    if (!isService(service)) throw new Error('there is no such service');
    const start = (): Promise<RunningService> => HOSTED_SERVICES[service](hosting);
    return [service, await (hosting.settings['OTEL_EXPORTER_OTLP_ENDPOINT'] ? inTracerScope(start) : start())];
  } catch (error) {
    return failStart(service, error);
  }
}

/** Starts several services in this process. Each has its own settings, connections, metrics, log name and internal port. */
async function host(): Promise<void> {
  const hosted = hostedSettings(process.env);
  const name = hosted.map(([service]) => service).join('+');
  const [[, firstSettings] = ['', {}]] = hosted;
  const logger = new Logger(name, firstSettings['LOG_LEVEL'] ?? 'info');
  const running = await Promise.all(
    hosted.map(([service, settings], index) => startHosted(service, { settings, isFirst: index === 0 })),
  );
  // Nest has one log for all applications of a process; each of them has replaced it.
  NestLogger.overrideLogger(new NestLog(logger));
  const stop = new StagedStop(new Map(running.map(([service, running]) => [service, running.stop])));
  process.on(STOP_ALL_BUT_LAST, () => void stop.allButLast());
  untilStopped(name, logger, () => stop.all());
}

void host();
