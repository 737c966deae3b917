// `npm start`: the whole platform on this machine. Plain JavaScript: it runs before anything is installed or built.
import { enter } from './launcher/bootstrap.mjs';

await enter('tools/launcher/start-command.js', { showsConsole: true });
