import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const page = readFileSync(join(__dirname, '../../../docs/reference/metrics.md'), 'utf8');

/** The page's rows: metric, kind, labels, services. */
const documented = new Map(
  [...page.matchAll(/^\| `([a-z_]+)` \| (\w+) \| ([^|]*) \| ([^|]*) \|/gm)].map(
    ([, name = '', kind = '', labels = '', services = '']) => [
      name,
      { kind, labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label), services: services.split(', ') },
    ],
  ),
);

describe('what services count', () => {
  it('is what the page of the metrics says, kind and labels included', async () => {
    const services = Object.entries(platform.state.internalUrls).filter(
      ([name]) => platform.service(name).pid !== null,
    );
    expect(services.length).toBeGreaterThan(0);
    for (const [service, url] of services) {
      const text = await (await fetch(`${url}/metrics`)).text();
      for (const [, name = '', kind] of text.matchAll(/^# TYPE (switchyard_\S+) (\w+)$/gm)) {
        const documentedAs = documented.get(name);
        expect([service, name, documentedAs?.kind]).toEqual([service, name, kind]);
        expect([name, documentedAs?.services.some((each) => each === 'all' || each === service)]).toEqual([name, true]);
      }
      for (const [, series = '', labels = ''] of text.matchAll(
        /^(switchyard_[a-z_]+?)(?:_bucket|_sum|_count)?\{([^}]*)\}/gm,
      )) {
        const own = [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label);
        const allowed = [...(documented.get(series)?.labels ?? []), 'service', 'le'];
        expect([series, own.filter((label) => !allowed.includes(label))]).toEqual([series, []]);
      }
    }
  });

  it('shows which dependencies answer', async () => {
    const isUp = (dependency: string): string => `switchyard_dependency_up{dependency="${dependency}",service="key"} 1`;
    // A service that takes a second to answer is missing from that scrape.
    const text = await until(async () => {
      const scraped = await (await fetch(`${platform.state.internalUrls['key'] ?? ''}/metrics`)).text();
      return ['postgres', 'nats', 'redis'].every((dependency) => scraped.includes(isUp(dependency))) ? scraped : null;
    });
    expect(text).toMatch(/switchyard_database_connections\{state="total",service="key"\} \d+/);
  });
});
