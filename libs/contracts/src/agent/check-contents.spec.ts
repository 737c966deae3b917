import { checkAddress } from './check-contents';

const check = (data: string): void => checkAddress(`data:image/png;base64,${data}`, 'image', 'url');

describe('the data of a data: URI', () => {
  it.each(['QQ', 'QQ=', 'QQ==', 'QUJD', 'ab+/', 'ab-_', 'AZaz09=='])('may be %s', (data) => {
    expect(() => check(data)).not.toThrow();
  });

  it.each(['', '=', '==', 'QQ===', 'Q=Q', 'QQ=x', 'Q Q', 'QQ\n', '%41', 'QÄ', ':', 'QQ==\u{1F600}'])(
    'may not be %j',
    (data) => {
      expect(() => check(data)).toThrow('not valid base64');
    },
  );

  it('is looked at from its own beginning each time', () => {
    expect(() => check('QQQQ!')).toThrow('not valid base64');
    expect(() => check('!QQQ')).toThrow('not valid base64');
    expect(() => check('QQQQ')).not.toThrow();
  });
});
