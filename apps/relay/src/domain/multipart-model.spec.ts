import { modelInForm } from './multipart-model';

const TYPE = 'multipart/form-data; boundary=edge';
const part = (head: string, content: string | Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`--edge\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
const form = (...parts: Buffer[]): Buffer => Buffer.concat([...parts, Buffer.from('--edge--\r\n')]);
const model = part('name="model"', 'whisper-1');
const file = (content: string | Buffer): Buffer =>
  part('name="file"; filename="a.wav"\r\nContent-Type: audio/wav', content);

describe('the model of a form', () => {
  it('is found before and after a file', () => {
    const bytes = Buffer.alloc(2_000_000, 'RIFF\r\n--edg');
    expect(modelInForm(TYPE, form(model, file(bytes)))).toBe('whisper-1');
    expect(modelInForm(TYPE, form(file(bytes), part('name="prompt"', ''), model))).toBe('whisper-1');
    expect(modelInForm('multipart/form-data; boundary="edge"; x=y', form(file(''), model))).toBe('whisper-1');
    expect(modelInForm(TYPE, Buffer.concat([Buffer.from('preamble\r\n'), form(model)]))).toBe('whisper-1');
  });

  it('is not taken out of a file, or from a name that only looks like it', () => {
    expect(modelInForm(TYPE, form(file('Content-Disposition: form-data; name="model"\r\n\r\nx'), model))).toBe(
      'whisper-1',
    );
    expect(modelInForm(TYPE, form(part('name="file"; filename="model"', 'x')))).toBeNull();
    expect(modelInForm(TYPE, form(part('name="models"', 'x')))).toBeNull();
  });

  it.each([
    ['two of them', form(model, file('x'), part('name="model"', 'other'))],
    ['the same one twice', form(model, model)],
    ['a name without quotes', form(part('name=model', 'other'), model)],
    ['a name without quotes alone', form(part('name=model', 'other'))],
    ['another case', form(part('name="Model"', 'other'), model)],
    ['an escape', form(part('name="mod\\el"', 'other'))],
    ['a coded name', form(part("name*=utf-8''model", 'other'), model)],
    ['a coded name beside another', form(part(`name="x"; name*=utf-8''%6dodel`, 'other'), model)],
    ['two names', form(part('name="x"; name="model"', 'other'))],
    ['blanks around it', form(part('name = "model"', 'other'), model)],
    ['a list', form(part('name="model[]"', 'other'), model)],
    ['a folded line', form(part('\r\n name="model"', 'other'), model)],
    ['a bare line feed', form(part('name="x"\nContent-Disposition: form-data; name="model"', 'other'))],
    ['two lines', form(part('name="x"\r\nContent-Disposition: form-data; name="model"', 'other'))],
  ])('is refused where others may find another: %s', (_, body) => {
    expect(() => modelInForm(TYPE, body)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });

  it('may stand beside fields in every usual spelling', () => {
    const usual = [
      part('name=language', 'en'),
      part(`name="file"; filename="mo\\"del.wav"; filename*=utf-8''model.wav`, 'x'),
      part('name="model_version"', 'x'),
    ];
    expect(modelInForm(TYPE, form(...usual, model))).toBe('whisper-1');
  });

  it.each([
    ['nothing but its beginning', Buffer.concat([model, Buffer.from('--edge\r\n')])],
    ['parts beyond the last that is read', form(model, ...Array.from({ length: 64 }, () => file('')), model)],
    ['a line of the boundary with a bare line feed', form(model, file('x\n--edge\r\n'))],
    ['a line that begins like the boundary', form(model, file('x\r\n--edges\r\n'))],
    ['parts behind the end', Buffer.concat([form(model), form(file('x'))])],
  ])('is unknown in a form that cannot be read as a whole: %s', (_, body) => {
    expect(modelInForm(TYPE, body)).toBeNull();
  });

  it.each([
    'a; boundary=edge; boundary=other',
    'a; boundary*=edge',
    'a; boundary=ed"ge',
    `a; boundary=${'x'.repeat(71)}`,
  ])('is not looked for without a certain boundary: %s', (type) => {
    expect(modelInForm(type, form(model))).toBeNull();
  });

  it.each([
    ['no boundary', 'multipart/form-data', form(model)],
    ['another boundary', 'multipart/form-data; boundary=other', form(model)],
    ['no form', TYPE, Buffer.from('x')],
    ['nothing', TYPE, Buffer.alloc(0)],
    ['no end', TYPE, Buffer.from('--edge\r\nContent-Disposition: form-data; name="model"\r\n\r\nwhisper-1')],
    ['an empty name', TYPE, form(part('name="model"', ''))],
    ['an endless name', TYPE, form(part('name="model"', 'x'.repeat(201)))],
    ['an endless head', TYPE, form(part(`name="file"; filename="${'x'.repeat(2000)}"`, ''), model)],
    ['more parts than anybody sends', TYPE, form(...Array.from({ length: 64 }, () => file('')), model)],
  ])('is not looked for further: %s', (_, type, body) => {
    expect(modelInForm(type, body)).toBeNull();
  });
});
