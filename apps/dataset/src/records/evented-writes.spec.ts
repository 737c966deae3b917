import { rowsOfPiece } from './evented-writes';

const MIB = 1024 * 1024;

test('a piece of a watched write holds no more than its bytes after the write', () => {
  expect(rowsOfPiece(1000, 16 * MIB, 0)).toBe(1000);
  expect(rowsOfPiece(1000, 16 * MIB, 100)).toBe(1000);
  expect(rowsOfPiece(1000, 16 * MIB, MIB / 4)).toBe(64);
  expect(rowsOfPiece(1000, 16 * MIB, 20 * MIB)).toBe(1);
});
