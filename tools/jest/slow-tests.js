// Tests against real servers wait for real things: polls carry their own, shorter deadlines.
jest.setTimeout(300_000);
