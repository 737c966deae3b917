import { Client, type ClientConfig } from 'pg';
import type { EventEmitter } from 'node:events';
import { type ServerLine, PrimaryServer } from './primary-server';

type Done = (error?: Error) => void;

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
export function writingClient(primaryServer: PrimaryServer): typeof Client {
  return class WritingClient extends Client implements ServerLine {
    url = '';

    constructor(config?: ClientConfig) {
      super(config);
      this.inner.connection.on('parameterStatus', ({ parameterName, parameterValue }: Parameter) => {
        if (!CLOSING.has(parameterName) || parameterValue !== 'on') return;
        primaryServer.noteFailure();
        this.breakOff();
      });
      this.once('end', () => primaryServer.letGo(this));
    }

    override connect(): Promise<this>;
    override connect(callback: ((error: Error) => void) | ((error: null, client: Client) => void)): void;
    /** The pool passes a callback, other callers use the promise. */
    override connect(callback?: unknown): Promise<this> {
      return new Promise((resolve, reject) => {
        this.connectTo((error) => {
          (callback as Done | undefined)?.(error);
          if (error && callback === undefined) reject(error);
          else resolve(this);
        });
      });
    }

    breakOff(): void {
      this.inner.connection.stream.destroy();
    }

    private get inner(): Inner {
      return this;
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
export function oneWritingClient(config: ClientConfig & { connectionString: string }): Client {
  const primaryServer = new PrimaryServer(config.connectionString, config.application_name ?? 'switchyard');
  return new (writingClient(primaryServer))({ ...config, connectionString: primaryServer.last });
}
