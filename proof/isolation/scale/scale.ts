import type { TestPlatform } from '@switchyard/testing';
import { runEnvelopes } from './envelopes';
import { runReplicas } from './replicas';
import { runSpaces } from './spaces';
import type { ScaleReport } from './scale-report';
import { runStreams } from './streams';

export async function runScale(
  platform: TestPlatform,
  name: string,
  count: number | null,
  print: (line: string) => void,
): Promise<ScaleReport> {
  const report =
    name === 'envelopes'
      ? await runEnvelopes(platform, count ?? 1_000_000, print)
      : name === 'spaces'
        ? await runSpaces(platform, count ?? 10_000, print)
        : name === 'streams'
          ? await runStreams(platform, count ?? 10_000, print)
          : await runReplicas(platform, count ?? 60, print);
  print(JSON.stringify(report, null, 2));
  return report;
}
