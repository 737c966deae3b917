// They wait for nothing, but give way to all others: on a machine that is busy one of a second may take minutes.
jest.setTimeout(600_000);
