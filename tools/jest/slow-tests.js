// Tests against real servers wait for real things: polls carry their own, shorter deadlines. Unit tests wait for nothing,
// but give way to the others on a busy machine.
jest.setTimeout(120_000);
