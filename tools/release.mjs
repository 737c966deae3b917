// `npm run release -- VERSION`: tags a version, and begins the next one.
import { enter } from './launcher/bootstrap.mjs';

await enter('tools/release/release-command.js');
