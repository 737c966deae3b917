// `npm run nats-accounts -- COMMAND`: accounts of services on NATS, and the users of their server.
import { enter } from './launcher/bootstrap.mjs';

await enter('tools/nats-accounts/nats-accounts-command.js');
