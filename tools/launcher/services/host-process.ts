import type { Home } from '../home/home';
import type { SupervisedOptions } from '../processes/supervised';
import type { Host } from '../../host/hosts';
import { hostEnvironment } from '../../host/host-environment';
import type { ServiceName } from '../service-names';
import { stopsInSteps } from '../stop-order';
import { HOST_SEMI_SPACE_MI } from './process-memory';
import { STOP_GRACE_MS, serviceProcess } from './service-process';
import { sizeOf } from './service-size';
import { isOfEveryProcess } from './variable-names';

interface HostOptions {
  /** Of one service, asked for at each start. */
  envOf: (service: ServiceName) => NodeJS.ProcessEnv;
  ports: Readonly<Record<ServiceName, number>>;
  onLine: (service: ServiceName, line: string) => void;
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

export const hostMemoryLimitMi = ({ services }: Host): number =>
  sum(services.map((service) => sizeOf(service).memoryLimitMi));

/** The service that wrote a line of a host's log; the first one, if the line does not say. */
export function serviceOfLine({ services }: Host, line: string): ServiceName {
  const [, name] = /^\{"level":[^,]+,"time":"[^"]+","service":"([a-z-]+)"/.exec(line) ?? [];
  return services.find((service) => service === name) ?? services[0];
}

/** One process with several services. It may use the memory of all of them. */
export function hostProcess(home: Home, host: Host, { envOf, ports, onLine }: HostOptions): SupervisedOptions {
  const { name, services } = host;
  return serviceProcess(home, {
    name,
    script: 'tools/host/main.js',
    env: () => {
      const settings = Object.fromEntries(services.map((service) => [service, envOf(service)]));
      const common = Object.values(settings).flatMap((each) => Object.entries(each));
      return hostEnvironment(settings, Object.fromEntries(common.filter(([variable]) => isOfEveryProcess(variable))));
    },
    heapMi: sum(services.map((service) => sizeOf(service).heapMi)),
    semiSpaceMi: HOST_SEMI_SPACE_MI,
    readyUrls: services.map((service) => `http://127.0.0.1:${ports[service]}/health/ready`),
    logOf: (line) => serviceOfLine(host, line),
    // The session service has its own time to end, after the agent.
    stopGraceMs: stopsInSteps(name) ? 2 * STOP_GRACE_MS : STOP_GRACE_MS,
    onLine: (line) => onLine(serviceOfLine(host, line), line),
  });
}
