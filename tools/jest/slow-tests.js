// Tests against real servers wait for real things: polls carry their own, shorter deadlines.
jest.setTimeout(60_000);

// These tests kill servers and race each other on purpose. Where nobody sits before the machine, one that failed is tried
// once more, and its first failure is printed: a race that is lost twice is a defect, one that is lost once is in the log.
if (process.env.CI) jest.retryTimes(1, { logErrorsBeforeRetry: true });
