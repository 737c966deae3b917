// `node tools/backup.mjs save|restore`: the database and the secrets of a platform on this machine.
import { enter } from './launcher/bootstrap.mjs';

await enter('tools/backup/backup-command.js');
