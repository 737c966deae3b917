import { Field } from './field';
import { emailText } from './email-text';
import { checkRequest } from './validate';

class Member {
  @Field(emailText(), { optional: true }) email?: string;
}

const check = (member: Member) => () => {
  checkRequest(Member, member);
};

describe('an e-mail address', () => {
  it.each(['ada@example.com', ' Ada@Example.COM ', 'адa@пример.рф', 'o’neill+x@a.b'])('may be %j', (email) => {
    expect(check({ email })).not.toThrow();
  });

  it.each([
    ['a zero-width space', 'ada\u200b@example.com'],
    ['a joiner', 'ada@exa\u200dmple.com'],
    ['a soft hyphen', 'a\u00adda@example.com'],
    ['a bidirectional override', '\u202eada@example.com'],
    ['a mark of direction', 'ada@example.com\u200e'],
    ['a control character', 'ada\u0007@example.com'],
    ['a filler', 'ada\u3164@example.com'],
    ['a variation selector', 'ada\ufe0f@example.com'],
    ['a tag', 'ada\u{e0041}@example.com'],
  ])('is refused with %s', (_what, email) => {
    expect(check({ email })).toThrow(
      'email must be an e-mail address without invisible characters, such as ada@example.com.',
    );
  });
});
