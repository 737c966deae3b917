import path from 'node:path';

/** What an image starts: the service that it was built for, with the environment that it is given. */
const app = process.env.APP ?? 'gateway';
void import(path.join(__dirname, `../../apps/${app}/src/main.js`));
