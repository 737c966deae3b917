import { documented } from './documented';
import { NOW, type Trial } from './setting-up';
import { step } from './step';

/** By the commands of docs/operate/backup.md: dump, lose every volume, restore. Keys and data answer again. */
export async function restore({ box, platform }: Trial): Promise<void> {
  await step('a backup', () => box.shell(NOW, documented('backup.md', '### Back up Compose')));
  await step('every volume is lost', async () => {
    await platform.compose(NOW, 'down', '--volumes');
    const volumes = await box.run('docker', 'volume', 'ls', '--quiet', '--filter', 'name=switchyard_');
    if (volumes !== '') throw new Error(`volumes remain: ${volumes}`);
  });
  await step('restored', () => box.shell(NOW, documented('backup.md', '### Restore Compose')));
  await step('keys and data answer again', () => platform.customer(NOW, 'check'));
  await step('every encrypted value can be decrypted', () =>
    box.shell(NOW, documented('secrets.md', '### Re-encrypt with Compose')),
  );
  await step('a service speaks NATS', () => platform.customer(NOW, 'service'));
}
