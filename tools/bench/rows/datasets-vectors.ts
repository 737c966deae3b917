import { VectorIndex } from '../../../apps/dataset/src/vectors/vector-index';
import { DIMENSIONS, embed } from '../../simulator';
import { atMost, latencyUs } from '../measure';
import type { Measured } from '../row';
import { benchRecord } from './datasets-setup';

const QUESTIONS = 100;
const TOP = 10;

const textOf = (n: number): string => {
  const { title, body } = benchRecord(n);
  return `${title} ${body}`;
};

/** The nearest ten among many text embeddings, beside a scan of all of them; recall is against that scan. */
export async function vectorRows(vectors: number, report: (line: string) => void): Promise<Measured[]> {
  const index = new VectorIndex(DIMENSIONS);
  const ids = Array.from({ length: vectors }, (_, n) => String(n));
  for (const [n, id] of ids.entries()) index.put(id, 1, embed(textOf(n)));
  report(`${vectors} texts embedded`);
  while (index.grow(1000));
  report('graph built');
  const questions = Array.from({ length: QUESTIONS }, (_, n) => embed(textOf(vectors + n)));
  let turn = 0;
  const question = (): Float32Array => questions[turn++ % QUESTIONS] ?? new Float32Array(DIMENSIONS);
  const ours = await latencyUs(QUESTIONS, () => Promise.resolve(index.search(question(), TOP)));
  const theirs = await latencyUs(10, () => Promise.resolve(index.searchAmong(question(), ids, TOP)));
  let found = 0;
  for (const query of questions) {
    const nearest = new Set(index.searchAmong(query, ids, TOP).map((hit) => hit.id));
    found += index.search(query, TOP).filter((hit) => nearest.has(hit.id)).length;
  }
  const recall = found / (QUESTIONS * TOP);
  return [
    atMost(0.1, {
      what: `vector top 10 of ${vectors} x ${DIMENSIONS}`,
      beside: 'exact scan',
      ours: ours / 1000,
      theirs: theirs / 1000,
      unit: 'ms',
    }),
    {
      what: 'recall of the ten nearest, text embeddings',
      beside: 'exact scan',
      ours: recall,
      theirs: 1,
      unit: 'share',
      ratio: recall,
      target: '>= 0.95',
      met: recall >= 0.95,
    },
  ];
}
