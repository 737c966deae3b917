import path from 'node:path';

/** Entry point of an image: starts the service it was built for. */
const app = process.env.APP ?? 'gateway';
void import(path.join(__dirname, `../../apps/${app}/src/main.js`));
