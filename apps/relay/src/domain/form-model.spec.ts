import { modelInForm } from './form-model';

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
