import { isIP, type LookupFunction } from 'node:net';
import { toAppError } from '@switchyard/kernel';
import type { Dispatcher, buildConnector } from 'undici';
import { type EgressPolicy } from './egress-policy';
import { loadUndici } from './load-undici';
import type { NameResolver } from './name-resolver';

const CONNECT_TIMEOUT_MS = 5_000;

interface Guard {
  policy: EgressPolicy;
  names: NameResolver;
  /** The payer whose calls these are. */
  owner: string | null;
  /** At most so many to one origin. */
  connections: number;
}

/** Answers only with permitted addresses, so that what was checked is what is connected to. */
function guardedLookup({ policy, names, owner }: Guard, port: number): LookupFunction {
  return (hostname, options, callback) => {
    names.resolve(hostname, owner).then(
      (addresses) => {
        const permitted = addresses.filter(({ address }) => policy.permits(address, port));
        const [first] = permitted;
        if (!first) callback(policy.refusalOf(addresses[0]?.address ?? '', port), '', 0);
        else if (options.all) callback(null, permitted);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => {
        callback(toAppError(error), '', 0);
      },
    );
  };
}

/** An undici agent that cannot reach refused addresses, also if a name resolved to another one before. */
export function guardedDispatcher(guard: Guard): Dispatcher {
  const { policy } = guard;
  const undici = loadUndici();
  const connect: buildConnector.connector = (options, callback) => {
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
    const literal = options.hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0 && !policy.permits(literal, port)) return callback(policy.refusalOf(literal, port), null);
    const open = undici.buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: guardedLookup(guard, port) });
    open(options, (error, socket) => {
      if (error) return callback(error, null);
      if (socket.remoteAddress !== undefined && !policy.permits(socket.remoteAddress, port)) {
        socket.destroy();
        return callback(policy.refusalOf(socket.remoteAddress, port), null);
      }
      callback(null, socket);
    });
  };
  return new undici.Agent({ connect, pipelining: 1, connections: guard.connections, keepAliveTimeout: 4_000 });
}
