import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Dispatcher, buildConnector } from 'undici';
import { type EgressPolicy, refused } from './egress-policy';
import { loadUndici } from './load-undici';

const CONNECT_TIMEOUT_MS = 3_000;

/** Answers only with permitted addresses, so that what was checked is what is connected to. */
function guardedLookup(policy: EgressPolicy, port: number): LookupFunction {
  return (hostname, options, callback) => {
    dnsLookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, '', 0);
      const permitted = addresses.filter(({ address }) => policy.permits(address, port));
      const [first] = permitted;
      if (!first) return callback(refused(), '', 0);
      if (options.all) return (callback as (error: null, all: LookupAddress[]) => void)(null, permitted);
      callback(null, first.address, first.family);
    });
  };
}

/** An undici agent that cannot reach what the policy refuses, whatever the name resolved to a moment ago. */
export function guardedDispatcher(policy: EgressPolicy): Dispatcher {
  const undici = loadUndici();
  const connect: buildConnector.connector = (options, callback) => {
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
    const literal = options.hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0 && !policy.permits(literal, port)) return callback(refused(), null);
    const open = undici.buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: guardedLookup(policy, port) });
    open(options, (error, socket) => {
      if (error) return callback(error, null);
      if (socket.remoteAddress !== undefined && !policy.permits(socket.remoteAddress, port)) {
        socket.destroy();
        return callback(refused(), null);
      }
      callback(null, socket);
    });
  };
  return new undici.Agent({ connect, pipelining: 1, connections: 32, keepAliveTimeout: 4_000 });
}
