import { devServers } from '../../kubernetes/dev-servers';
import { IMAGE } from '../../kubernetes/manifest';
import { EditableManifest } from '../tree';
import { type SettingsGroup, type Settings, flag, group, object, text } from './value';

/** The servers of the overlay `dev`, by name. */
export const serverWorkloads = (): [string, EditableManifest][] =>
  devServers()
    .filter(({ kind }) => kind === 'StatefulSet' || kind === 'Deployment')
    .map((manifest) => [manifest.metadata.name, new EditableManifest(manifest)]);

const STORAGE = '/spec/volumeClaimTemplates/0/spec/resources/requests/storage';
/** Those that read a Secret, which is there before the chart. */
export const WITH_SECRET = ['postgres', 'nats'];

function settingsOf(name: string, workload: EditableManifest): Settings {
  const image = workload.at('/spec/template/spec/containers/0/image') as string;
  const isStored = 'volumeClaimTemplates' in (workload.at('/spec') as object);
  return {
    enabled: flag(false),
    ...(image === IMAGE ? {} : { image: text(image, '', { minLength: 1 }) }),
    ...(WITH_SECRET.includes(name) ? { existingSecret: text(name, '', { minLength: 1 }) } : {}),
    resources: object(workload.at('/spec/template/spec/containers/0/resources') as object),
    ...(isStored ? { storage: group('', { size: text(workload.text(STORAGE)), className: text('') }) } : {}),
  };
}

export const bundled = (): SettingsGroup =>
  group(
    'One replica of each server in this namespace, and a simulator of models: to try Switchyard, not for data that anybody needs.',
    Object.fromEntries(serverWorkloads().map(([name, workload]) => [name, group('', settingsOf(name, workload))])),
  );
