import { Client, type ClientConfig } from 'pg';
import type { EventEmitter } from 'node:events';
import { type ServerLine, PrimaryServer } from './primary-server';
import { probeServer } from './probe-server';
import { type Done, type SecondPassword, connecting, loginClient, secondPasswordOf } from './two-passwords';

interface Parameter {
  parameterName: string;
  parameterValue: string;
}

/** Private fields of pg. */
interface Inner {
  host: string;
  port: number;
  connection: EventEmitter & { stream: { destroyed: boolean; destroy(): void } };
}

/** Settings that Postgres reports when a session becomes read-only or writable. */
const CLOSING = new Set(['in_hot_standby', 'default_transaction_read_only']);

/** A pg client that connects to the current primary. */
export function writingClient(primaryServer: PrimaryServer, second: SecondPassword | null = null): typeof Client {
  return class WritingClient extends loginClient(second) implements ServerLine {
    url = '';

    constructor(config?: ClientConfig) {
      super(config);
      this.follow();
      this.on('newConnection' as 'end', () => this.follow());
      this.once('end', () => primaryServer.letGo(this));
    }

    override connect(): Promise<this>;
    override connect(callback: ((error: Error) => void) | ((error: null, client: Client) => void)): void;
    override connect(callback?: unknown): Promise<this> {
      return connecting(this, (done) => this.connectTo(done), callback);
    }

    breakOff(): void {
      this.inner.connection.stream.destroy();
    }

    private get inner(): Inner {
      return this;
    }

    private follow(): void {
      this.inner.connection.on('parameterStatus', ({ parameterName, parameterValue }: Parameter) => {
        if (!CLOSING.has(parameterName) || parameterValue !== 'on') return;
        primaryServer.noteFailure();
        this.breakOff();
      });
    }

    private connectTo(callback: Done): void {
      const done: Done = (error) => {
        if (error) {
          primaryServer.noteFailure();
          primaryServer.letGo(this);
        }
        callback(error);
      };
      primaryServer.writable().then((url) => {
        // The caller has given up.
        if (this.inner.connection.stream.destroyed) {
          done(new Error('Connection terminated due to connection timeout'));
          return;
        }
        this.lead(url);
        super.connect(done);
      }, done);
    }

    private lead(url: string): void {
      const { host, port } = new Client({ connectionString: url });
      this.inner.host = host;
      this.inner.port = port;
      this.url = url;
      primaryServer.hold(this);
    }
  };
}

/** A single-use client for the current primary. */
export function oneWritingClient({
  secondPassword,
  ...config
}: ClientConfig & { connectionString: string; secondPassword?: string | undefined }): Client {
  const second = secondPasswordOf(secondPassword);
  const { connectionString: url, application_name: name = 'switchyard' } = config;
  const primaryServer = new PrimaryServer(url, name, undefined, (each) => probeServer(each, name, second));
  return new (writingClient(primaryServer, second))({ ...config, connectionString: primaryServer.last });
}
