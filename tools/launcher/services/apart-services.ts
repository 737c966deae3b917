import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Host } from '../../host/hosts';
import type { Home } from '../home/home';
import type { ServiceName } from '../service-names';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Which services get a process of their own although services share processes, and until when: those whose process has
 * ended with an error or was killed, also at a stop. Work that was lost with it runs again, and may end its process
 * again; a service beside it would lose work a second time, which would then fail permanently (ADR 66). If the file is
 * missing or damaged, services share.
 */
export class ApartServices {
  constructor(
    private readonly file: string,
    private readonly now: () => number = Date.now,
  ) {}

  /** Their process may have lost work. Gives the time until which they are apart. */
  add(services: readonly ServiceName[]): Date {
    const until = new Date(this.now() + DAY_MS);
    const all = { ...this.read(), ...Object.fromEntries(services.map((service) => [service, until.toISOString()])) };
    try {
      writeFileSync(`${this.file}.new`, JSON.stringify(all), { mode: 0o600 });
      renameSync(`${this.file}.new`, this.file);
    } catch {
      // A full disk must not end the launcher. The services of this run are apart without the file.
    }
    return until;
  }

  /** Until when the services of this host are apart, if one of them still has to be. */
  untilFor({ services }: Host): Date | undefined {
    const all = this.read();
    const latest = Math.max(
      ...services.map((service) => new Date(all[service] ?? NaN).getTime()).filter(this.isWithinDay),
    );
    return Number.isFinite(latest) ? new Date(latest) : undefined;
  }

  /** Later than a day from now: the clock was set back, or the file is damaged. */
  private readonly isWithinDay = (time: number): boolean => time > this.now() && time <= this.now() + DAY_MS;

  private read(): Partial<Record<string, string>> {
    try {
      const all: unknown = JSON.parse(readFileSync(this.file, 'utf8'));
      if (typeof all !== 'object' || all === null) return {};
      return Object.fromEntries(Object.entries(all).filter(([, until]) => typeof until === 'string'));
    } catch {
      return {};
    }
  }
}

export const apartServicesOf = (home: Home): ApartServices => new ApartServices(home.file('services-apart.json'));

/** For a sentence: to the minute. */
export const shownTime = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
