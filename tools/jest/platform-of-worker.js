// Files that kill processes must not share them: where several platforms run, each worker of jest has its own.
const platforms = JSON.parse(process.env.SWITCHYARD_TEST_PLATFORMS ?? '[]');
Object.assign(process.env, platforms[Number(process.env.JEST_WORKER_ID) - 1]);
