import { parseArgs } from 'node:util';
import { SERVICES, type ServiceName } from './service-names';
import { StopSentence } from './stop-sentence';

export interface StartOptions {
  services: readonly ServiceName[];
  install: boolean;
}

export function parseStartOptions(args: string[]): StartOptions {
  try {
    const { values } = parseArgs({
      args,
      options: { only: { type: 'string' }, install: { type: 'boolean' } },
    });
    return { services: serviceList(values.only), install: values.install ?? false };
  } catch (error) {
    if (error instanceof StopSentence) throw error;
    throw new StopSentence(`${error instanceof Error ? error.message : String(error)}. See npm start -- --help.`);
  }
}

export function serviceList(text: string | undefined): readonly ServiceName[] {
  if (text === undefined) return SERVICES;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !(SERVICES as readonly string[]).includes(name));
  if (unknown.length > 0)
    throw new StopSentence(`No such service: ${unknown.join(', ')}. There are ${SERVICES.join(', ')}.`);
  return SERVICES.filter((service) => names.includes(service));
}

/** Whether several services share a process (`hosts`), or each has its own (`services`). */
export function sharesProcesses(text = 'hosts'): boolean {
  if (text === 'hosts' || text === 'services') return text === 'hosts';
  throw new StopSentence(`SWITCHYARD_PROCESSES is ${text}; it must be hosts or services.`);
}

export function portFrom(text: string | undefined, fallback: number, name = 'GATEWAY_PORT'): number {
  const port = Number(text ?? fallback);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new StopSentence(`${name} is ${text}; it must be a port number between 1 and 65535.`);
}
