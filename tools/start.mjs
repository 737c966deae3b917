// `npm start`: the whole platform on this machine. Plain JavaScript: it runs before anything is installed or built.
import { enter } from './launcher/bootstrap.mjs';
import { asksForHelp, startHelp } from './launcher/start-help.mjs';

if (asksForHelp(process.argv.slice(2))) process.stdout.write(startHelp());
else await enter('tools/launcher/start-command.js', { showsConsole: true });
