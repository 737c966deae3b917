/** The running platform, for tests. The launcher rewrites it whenever a process starts or ends. */
export interface PlatformState {
  url: string;
  owner: { email: string; password: string };
  /** Of servers, services and the simulator; null while one is down. */
  pids: Record<string, number | null>;
  internalUrls: Record<string, string>;
  /** With the administrator's login. */
  databaseUrl: string;
  /** Each service's own login. */
  databaseLogins: Record<string, string>;
  natsUrl: string;
  redisUrl: string;
  natsApiUrl: string;
  simulatorUrl: string;
  /** Takes `POST /stop/<name>`, `POST /start/<name>?<settings>` and `POST /wipe/nats`. */
  controlUrl: string;
  home: string;
  secrets: {
    natsMigration: { seed: string; publicKey: string };
    natsApi: { seed: string; publicKey: string };
    natsApiOperatorKey: string;
    services: Record<
      string,
      { nats: { seed: string; publicKey: string }; privateKey: string; publicKey: string; dataKey: string }
    >;
    keyPeppers: string;
  };
}
