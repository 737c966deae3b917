import type { Manifest } from './manifest';
import { differences } from './same-objects';

const config = (data: object, labels = {}): Manifest =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels }, data }) as unknown as Manifest;
const job = (name: string): Manifest => ({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name } });

describe('the comparison of the chart with Kustomize', () => {
  it('passes over what Helm adds, the hash behind the name of a Job, and Secrets', () => {
    const secret: Manifest = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } };
    const helm = [config({ a: '1' }, { 'helm.sh/chart': 'switchyard-0.1.0' }), job('migrate-0123456789')];
    expect(differences(helm, [config({ a: '1' }), job('migrate'), secret])).toEqual([]);
  });

  it.each([
    ['another value', [config({ a: '2' })], [config({ a: '1' })], 'ConfigMap a differs at /data/a: "2" and "1"'],
    ['a label of our own', [config({}, { team: 'x' })], [config({})], 'ConfigMap a differs'],
    ['an object more', [config({}), job('b')], [config({})], 'Job b is in the chart alone'],
    ['an object less', [], [config({})], 'ConfigMap a is missing in the chart'],
  ])('finds %s', (_name, helm, kustomize, sent) => {
    expect(differences(helm, kustomize)).toEqual([expect.stringContaining(sent) as string]);
  });
});
