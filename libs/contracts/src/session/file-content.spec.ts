import { checkContents } from '../agent/check-contents';
import { type FileContent, readFile } from './file-content';

const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');
const PDF = base64('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n');
const DOCX = base64(Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0xff, 0xfe]));
const read = (info: object): FileContent => readFile({ file_info: { ...info } });
const refusal = (info: object): string | undefined => {
  try {
    checkContents([{ type: 'file', file_info: { ...info } }]);
  } catch (error) {
    return (error as { code: string }).code;
  }
  return undefined;
};

describe('a file item', () => {
  it.each([
    [{ name: 'a.csv', mediaType: 'text/csv', data: base64('id\n7\n') }],
    [{ name: 'a.csv', mediaType: 'text/csv', text: 'id\n7\n' }],
    [{ name: 'a.csv', data: base64('id\n7\n') }],
    [{ mediaType: 'application/json', data: base64('id\n7\n') }],
    [{ mediaType: 'application/problem+json; charset=utf-8', data: base64('id\n7\n') }],
    [{ filename: 'a', url: `data:text/plain;base64,${base64('id\n7\n')}` }],
    [{ name: 'a', mediaType: 'application/octet-stream', data: base64('id\n7\n') }],
    [{ name: 'a.csv', data: `data:text/csv;charset=utf-8;base64,${base64('\uFEFFid\n7\n')}` }],
  ])('is text where its format is: %j', (info) => {
    expect(read(info)).toMatchObject({ kind: 'text', text: 'id\n7\n' });
    expect(refusal(info)).toBeUndefined();
  });

  it.each([
    [{ mediaType: 'image/png', data: 'iVBORw0KGgo=' }, 'image', 'data:image/png;base64,iVBORw0KGgo='],
    [{ name: 'a.JPG', data: 'iVBORw0KGgo=' }, 'image', 'data:image/jpeg;base64,iVBORw0KGgo='],
    [{ url: 'https://example.com/a.png' }, 'image', 'https://example.com/a.png'],
    [{ mediaType: 'audio/wav', data: 'UklGRg==' }, 'audio', 'data:audio/wav;base64,UklGRg=='],
  ])('is an image or a sound in the formats of other APIs: %j', (info, kind, url) => {
    expect(read(info)).toMatchObject({ kind, url });
    expect(refusal(info)).toBeUndefined();
  });

  it.each([
    [{ name: 'a.pdf', mediaType: 'application/pdf', data: PDF }],
    [{ name: 'a.pdf', data: PDF }],
    [{ data: PDF }],
    [{ url: `data:application/pdf;base64,${PDF}` }],
    [{ url: 'https://example.com/a.pdf' }],
    [{ name: 'a.docx', data: DOCX }],
    [{ mediaType: 'text/plain', data: DOCX }],
    [{ name: 'a.txt', mediaType: 'text/plain', data: PDF }],
    [{ mediaType: 'image/png', data: PDF }],
    [{ name: 'a.png', data: DOCX }],
    [{ mediaType: 'audio/wav', data: base64(Buffer.from('d0cf11e0a1b11ae1', 'hex')) }],
    [{ mediaType: 'video/mp4', data: 'AAAA' }],
    [{ name: 'a.pdf', mediaType: 'application/pdf', content: PDF.repeat(100) }],
  ])('is refused as 415 where it is nothing that a model reads: %j', (info) => {
    expect(refusal(info)).toBe('UNSUPPORTED_MEDIA_TYPE');
    expect(JSON.stringify(read(info))).not.toContain(PDF);
  });

  it.each([
    [{ mediaType: 'text/plain', data: 'no base64!' }],
    [{ data: 7 }],
    [{ text: 7 }],
    [{ text: 'a', data: 'YQ==' }],
    [{ name: 'a', content: 'x'.repeat(5000) }],
    [{ text: 'x'.repeat(1024 * 1024 + 1) }],
    [{ url: 'ftp://example.com/a' }],
  ])('is refused as 400 where it is malformed', (info) => {
    expect(refusal(info)).toBe('VALIDATION_ERROR');
  });

  it('is replaced by a short note', () => {
    expect(read({ name: 'a.pdf', pages: 3 })).toEqual({ kind: 'label', label: '{"name":"a.pdf","pages":3}' });
    expect(refusal({ name: 'a.pdf', pages: 3 })).toBeUndefined();
  });
});
