import type { AccountsSync } from '../nats-accounts/accounts-sync';
import { launcherSync } from '../nats-accounts/launcher-sync';
import type { Endpoints } from './endpoints';
import type { Home } from './home/home';
import type { Secrets } from './home/secrets';
import { freePort, isFree } from './ports';
import { type Host, hostsOf } from '../host/hosts';
import { prepareStreams } from './preparation/prepare-streams';
import { runStep } from './preparation/run-step';
import { MemoryWatch, type OverMemory, type WatchedProcess } from './processes/memory-watch';
import { type ProcessEnd, Supervised, type SupervisorEvents } from './processes/supervised';
import { Watchdog } from './processes/watchdog';
import type { Progress } from './progress';
import { SERVICES, type ServiceName } from './service-names';
import { relayJournalFolder } from './servers/postgres-data';
import { SERVER_NAMES, type ServerName, describeServers } from './servers/private-servers';
import { type ApartServices, apartServicesOf, shownTime } from './services/apart-services';
import { serviceEnv, simulatorEnv } from './services/service-env';
import { sizeOf } from './services/service-size';
import { hostMemoryLimitMi, hostProcess } from './services/host-process';
import { serviceProcess } from './services/service-process';
import { readableLine } from './services/spoken-lines';
import { STOP_ALL_BUT_LAST, stopOrder, stopsInSteps } from './stop-order';
import { StopSentence } from './stop-sentence';

/** A new account waits for so long until the NATS server has its user. Each look costs a request. */
const NATS_SYNC_EVERY_MS = 4_000;

export interface PlatformOptions {
  home: Home;
  secrets: Secrets;
  environment: NodeJS.ProcessEnv;
  services: readonly ServiceName[];
  /** Several services share a process; otherwise, each has its own. */
  hosts?: boolean;
  gatewayHost: string;
  /** 0 takes a free one. */
  gatewayPort: number;
  /** Of the NATS server for services, or the next free one; 0 takes any. */
  natsApiPort: number;
  /** How often the accounts of the NATS API are compared with the users of its server. */
  natsSyncEveryMs?: number;
  install: boolean;
  progress: Progress;
  /** Warnings and errors of the services, and what the supervisor does about them. */
  print: (line: string) => void;
  /** Each line that a service writes. */
  onLine?: (name: string, line: string) => void;
  onOverMemory?: (found: OverMemory) => void;
  /** Called whenever a process has started or ended. */
  onProcesses?: () => void;
}

/** Starts other processes in the place of one that may have lost work, and says so, or leaves it to be started again. */
type Replace = (end: ProcessEnd, until: Date) => string | undefined;

const untilStartAfter = (time: Date): string => `until the platform is started again after ${shownTime(time)}`;

/** The servers and services of one home, running. `stop` ends all of them, also when `start` failed half-way. */
export class Platform {
  readonly processes = new Map<string, Supervised>();
  /** Of single processes, from their next start on: over everything else. */
  readonly settings = new Map<string, NodeJS.ProcessEnv>();
  readonly replicaPorts = new Map<string, number>();
  private readonly watchdog: Watchdog;
  private readonly memory: MemoryWatch;
  private readonly memoryLimits = new Map<string, number>();
  /** By service: the host that it is in. */
  private readonly hosts = new Map<string, string>();
  private readonly apart: ApartServices;
  private stopping: Promise<void> | undefined;
  private known: Endpoints | undefined;
  private accountsSync: AccountsSync | undefined;

  constructor(private readonly options: PlatformOptions) {
    this.watchdog = new Watchdog(options.home.file('processes'), options.print);
    this.apart = apartServicesOf(options.home);
    this.memory = new MemoryWatch(
      () => this.limitedProcesses(),
      options.onOverMemory ??
        (({ name, peakMi, limitMi }) =>
          options.print(`[${name}] warning: takes ${peakMi} MiB; in a container its limit is ${limitMi} MiB`)),
    );
  }

  private *limitedProcesses(): Iterable<WatchedProcess> {
    for (const [name, { pid }] of this.processes) {
      const limitMi = this.memoryLimits.get(name);
      if (limitMi !== undefined) yield { name, pid, limitMi };
    }
  }

  /** The process with this name, or with this service. */
  processOf(name: string): Supervised | undefined {
    return this.processes.get(name) ?? this.processes.get(this.hosts.get(name) ?? '');
  }

  /** By the name of a process or of a service in a host: its process id, or null while it does not run. */
  get pids(): Record<string, number | null> {
    const names = [...this.processes.keys(), ...this.hosts.keys()];
    return Object.fromEntries(names.map((name) => [name, this.processOf(name)?.pid ?? null]));
  }

  get endpoints(): Endpoints {
    if (!this.known) throw new Error('the platform has not been started');
    return this.known;
  }

  async start(): Promise<void> {
    const { progress } = this.options;
    const endpoints = await this.startServers();
    this.known = endpoints;
    this.refuseWhenStopping();
    endpoints.databaseLogins = await this.prepareDatabase(endpoints.databaseUrl);
    progress.step('database prepared');
    this.refuseWhenStopping();
    this.memory.start();
    await this.startServices(endpoints);
    this.startAccountsSync(endpoints);
  }

  /** For every service, also those that are not started now: a test may start one alone. */
  private async prepareDatabase(adminUrl: string): Promise<Endpoints['databaseLogins']> {
    const services = SERVICES.filter((service) => service !== 'gateway').map((service) => ({
      service,
      password: this.options.secrets.services[service].databasePassword,
    }));
    const { environment, secrets } = this.options;
    const previousPassword = environment.DATABASE_URL ? undefined : secrets.previousDatabaseAdminPassword;
    const answer = await runStep('database', 'prepare the database', { adminUrl, previousPassword, services });
    return JSON.parse(answer) as Endpoints['databaseLogins'];
  }

  /** Services first, while those still answer that they hand their work over to; then the servers. */
  stop(): Promise<void> {
    this.stopping ??= this.stopAll();
    return this.stopping;
  }

  private async stopAll(): Promise<void> {
    const servers = new Set<string>(SERVER_NAMES);
    this.memory.stop();
    await this.accountsSync?.stop();
    for (const [name, process] of this.processes) if (stopsInSteps(name)) process.beginStop(STOP_ALL_BUT_LAST);
    for (const names of stopOrder([...this.processes.keys()], servers))
      await Promise.all(names.map(async (name) => this.processes.get(name)?.stop()));
    this.watchdog.dismiss();
  }

  private async startServers(): Promise<Endpoints> {
    const { home, secrets, environment, install, progress } = this.options;
    const given: Record<ServerName, string | undefined> = {
      postgres: environment.DATABASE_URL || undefined,
      nats: environment.NATS_URL || undefined,
      redis: environment.REDIS_URL || undefined,
      // The empty text turns the NATS API off.
      'nats-services': this.options.services.includes('gateway') ? environment.NATS_API_URL : '',
    };
    const gatewayPort = await this.gatewayPort();
    const needed = (Object.keys(given) as ServerName[]).filter((name) =>
      name === 'nats-services' ? given[name] === undefined : !given[name],
    );
    const makeStreams = (natsUrl: string, nkeySeed: string | undefined): Promise<void> =>
      prepareStreams({ natsUrl, nkeySeed, environment });
    const { natsApiPort } = this.options;
    const servers = await describeServers({ home, secrets, needed, install, progress, natsApiPort, makeStreams });
    this.refuseWhenStopping();
    await this.startAll(needed.map((name) => this.supervise(servers[name]?.process)));
    if (needed.length > 0) progress.step(`${needed.join(', ')} started`);
    if (given.nats) await makeStreams(given.nats, environment.NATS_MIGRATION_SEED ?? environment.NATS_NKEY_SEED);
    const urlOf = (name: ServerName): string => given[name] ?? servers[name]?.url ?? '';
    const ports = await Promise.all(SERVICES.map(async (service) => [service, await freePort()] as const));
    const simulatorPort = await freePort();
    const host = this.options.gatewayHost;
    return {
      gatewayHost: host,
      gatewayPort,
      gatewayUrl: `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${gatewayPort}`,
      internalPorts: Object.fromEntries(ports) as Endpoints['internalPorts'],
      databaseUrl: urlOf('postgres'),
      databaseLogins: {},
      relayJournalFolder: given.postgres ? '' : relayJournalFolder(home),
      natsUrl: urlOf('nats'),
      isNatsOurs: !given.nats,
      redisUrl: urlOf('redis'),
      natsApiUrl: urlOf('nats-services'),
      isNatsApiOurs: given['nats-services'] === undefined,
      simulatorPort,
      simulatorUrl: `http://127.0.0.1:${simulatorPort}/v1`,
    };
  }

  private startAccountsSync({ isNatsApiOurs, gatewayUrl }: Endpoints): void {
    const { home, secrets, services, print, environment, natsSyncEveryMs = NATS_SYNC_EVERY_MS } = this.options;
    if (!isNatsApiOurs || !services.includes('gateway') || !services.includes('key')) return;
    this.accountsSync = launcherSync({ home, secrets, environment, gatewayUrl, everyMs: natsSyncEveryMs, print });
    void this.accountsSync.start();
  }

  private async startServices(endpoints: Endpoints): Promise<void> {
    const { environment } = this.options;
    const { services, hosts } = this.options;
    const processes = hosts
      ? hostsOf(services).flatMap((host) => this.processesOf(host, endpoints))
      : services.map((service) => this.superviseService(service, service, endpoints.internalPorts[service]));
    if (!environment.SIMULATOR_URL) processes.push(this.supervise(this.simulator(endpoints)));
    await this.startAll(processes);
  }

  private processesOf(host: Host, endpoints: Endpoints): Supervised[] {
    const until = host.services.length > 1 ? this.apart.untilFor(host) : undefined;
    if (!until) {
      const replace: Replace = (end, apartUntil) => this.replaceHost(host, end, apartUntil, endpoints);
      return [this.superviseServices(host.services, this.host(host, endpoints), replace)];
    }
    const names = host.services.join(', ');
    this.options.progress.note(
      `${names}: a process each ${untilStartAfter(until)}, because they did not stop in order`,
    );
    return this.superviseEach(host, endpoints);
  }

  private superviseEach({ services }: Host, { internalPorts }: Endpoints): Supervised[] {
    return services.map((service) => this.superviseService(service, service, internalPorts[service]));
  }

  private superviseService(name: string, service: ServiceName, port: number): Supervised {
    return this.superviseServices([service], this.service(name, service, port), () => undefined);
  }

  /** Its services are apart after each end with which they may have lost work, also at a stop. */
  private superviseServices(
    services: readonly ServiceName[],
    described: ReturnType<typeof serviceProcess>,
    replace: Replace,
  ): Supervised {
    return this.supervise(described, {
      onOwnEnd: (end) => {
        const until = this.noteEnd(services, end);
        return until && replace(end, until);
      },
      onDisorderlyEnd: (end) => void this.noteEnd(services, end),
    });
  }

  /**
   * Without a pause, in which a stop would find neither the host nor its services. While the platform stops, the host
   * is handled like a single service.
   */
  private replaceHost(host: Host, end: ProcessEnd, until: Date, endpoints: Endpoints): string | undefined {
    if (!end.hasBeenReady || this.stopping || host.services.length === 1) return undefined;
    this.processes.delete(host.name);
    this.memoryLimits.delete(host.name);
    for (const service of host.services) this.hosts.delete(service);
    for (const process of this.superviseEach(host, endpoints)) process.startAsReplacement();
    return `its services run in a process each ${untilStartAfter(until)}`;
  }

  /**
   * If a process ends with an exit code while starting, it has mostly refused its settings, and has lost no work. With
   * the code 0, as after `kill`, it has stopped in order.
   */
  private noteEnd(services: readonly ServiceName[], { hasBeenReady, code, signal }: ProcessEnd): Date | undefined {
    const hasStoppedInOrder = signal === null && (code === 0 || !hasBeenReady);
    return hasStoppedInOrder ? undefined : this.apart.add(services);
  }

  private service(name: string, service: ServiceName, port: number): ReturnType<typeof serviceProcess> {
    const { secrets, environment, home, print } = this.options;
    const { heapMi, memoryLimitMi } = sizeOf(service);
    this.memoryLimits.set(name, memoryLimitMi);
    return serviceProcess(home, {
      name,
      script: `apps/${service}/src/main.js`,
      env: () => ({
        ...serviceEnv(service, environment, secrets, this.endpoints),
        INTERNAL_PORT: String(port),
        ...this.settings.get(name),
      }),
      heapMi,
      readyUrls: [`http://127.0.0.1:${port}/health/ready`],
      onLine: (line) => this.speak(name, line, print),
    });
  }

  private host(host: Host, { internalPorts }: Endpoints): ReturnType<typeof serviceProcess> {
    const { secrets, environment, home, print } = this.options;
    this.memoryLimits.set(host.name, hostMemoryLimitMi(host));
    for (const service of host.services) this.hosts.set(service, host.name);
    return hostProcess(home, host, {
      envOf: (service) => ({
        ...serviceEnv(service, environment, secrets, this.endpoints),
        ...this.settings.get(service),
      }),
      ports: internalPorts,
      onLine: (service, line) => this.speak(service, line, print),
    });
  }

  /** One more process of a service that runs already, beside it. */
  async startReplica(name: string, service: ServiceName): Promise<void> {
    const port = await freePort();
    this.replicaPorts.set(name, port);
    await this.startAll([this.superviseService(name, service, port)]);
  }

  /** Stops it for good: no caller waits for it any more. */
  async stopReplica(name: string): Promise<void> {
    await this.processes.get(name)?.stop();
    this.processes.delete(name);
    this.replicaPorts.delete(name);
    this.options.onProcesses?.();
  }

  private simulator(endpoints: Endpoints): ReturnType<typeof serviceProcess> {
    return serviceProcess(this.options.home, {
      name: 'simulator',
      script: 'tools/simulator/main.js',
      env: () => ({ ...simulatorEnv(this.options.environment), SIMULATOR_PORT: String(endpoints.simulatorPort) }),
      readyUrls: [`http://127.0.0.1:${endpoints.simulatorPort}/health`],
      onLine: (line) => this.speak('simulator', line, this.options.print),
    });
  }

  private speak(service: string, line: string, print: (line: string) => void): void {
    this.options.onLine?.(service, line);
    const messages = this.stopping ? undefined : readableLine(service, line);
    if (messages) print(messages);
  }

  private supervise(
    described: ReturnType<typeof serviceProcess> | undefined,
    ends?: Pick<SupervisorEvents, 'onOwnEnd' | 'onDisorderlyEnd'>,
  ): Supervised {
    if (!described) throw new Error('a needed server was not described');
    const supervised = new Supervised(described, {
      onProcesses: () => {
        this.watchdog.watch(this.processes.values());
        this.options.onProcesses?.();
      },
      onNote: (text) => this.options.print(text),
      ...ends,
    });
    this.processes.set(supervised.name, supervised);
    return supervised;
  }

  /** All at once; one that fails ends the start at once, and its sentence is the one that is told. */
  private async startAll(processes: Supervised[]): Promise<void> {
    this.refuseWhenStopping();
    await Promise.all(
      processes.map(async (each) => {
        await each.start();
        if (!(SERVER_NAMES as readonly string[]).includes(each.name))
          this.options.progress.step(`${each.name} is ready`);
      }),
    );
  }

  private async gatewayPort(): Promise<number> {
    const { gatewayHost, gatewayPort } = this.options;
    if (gatewayPort === 0) return freePort(gatewayHost);
    if (await isFree(gatewayPort, gatewayHost)) return gatewayPort;
    throw new StopSentence(`Port ${gatewayPort} on ${gatewayHost} is taken. Set GATEWAY_PORT to a free one.`);
  }

  private refuseWhenStopping(): void {
    if (this.stopping) throw new StopSentence('Stopped before everything was up.');
  }
}
