import type { TestPlatform } from '@switchyard/testing';
import { Wires } from './wires';

export interface Staffing {
  /** Those that get wires of their own, where there are wires. */
  services: readonly string[];
  /** Further processes, named like `agent-2`. */
  replicas: readonly string[];
  wires: boolean;
  /** Environment variables of single processes. */
  settings: (name: string) => Record<string, string>;
}

/** Starts anew what a run needs in another way than the platform came up. */
export async function staff(platform: TestPlatform, staffing: Staffing): Promise<Wires | undefined> {
  const { services, replicas, settings } = staffing;
  for (const name of replicas) {
    await platform.service(name).start(settings(name));
    await platform.service(name).ready();
  }
  if (staffing.wires) return Wires.lay(platform, services, settings);
  for (const name of services) {
    if (Object.keys(settings(name)).length === 0) continue;
    await platform.service(name).restart(settings(name));
    await platform.service(name).ready();
  }
  return undefined;
}
