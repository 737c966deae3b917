import { checkIdempotencyKey } from './idempotency-key';

describe('an idempotency key', () => {
  test.each(['a', ' ', 'order 7/3', 'é', '注文', '😀', '👩\u200d💻', '\u00a0', '😀'.repeat(255)])(
    'may be %p',
    (key) => {
      expect(() => {
        checkIdempotencyKey(key);
      }).not.toThrow();
    },
  );

  test.each(['', 'a\n', '\u0000', '\u007f', '\u0085', '\u2028', '\ud800', '\u0378', '\uffff', 'x'.repeat(256)])(
    'may not be %p',
    (key) => {
      expect(() => {
        checkIdempotencyKey(key);
      }).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
    },
  );
});
