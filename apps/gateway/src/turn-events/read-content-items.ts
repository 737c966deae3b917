import type { ContentItem } from '@switchyard/contracts';
import { invalid, isPlainObject, type JsonObject } from '@switchyard/kernel';
import { optionalObject, optionalText, stringOf } from './read-json-fields';

export const textItem = (value: string): ContentItem => ({ type: 'text', text: value });

/** The text of an output or a message: a string, or the texts of its parts. */
export function textsOf(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (!Array.isArray(value)) throw invalid(path, 'must be a string or a list of parts');
  return value
    .map((part: unknown, at) => {
      const words = isPlainObject(part) ? (part['text'] ?? part['refusal']) : undefined;
      if (typeof words !== 'string') throw invalid(`${path}[${at}]`, 'must be a part with text');
      return words;
    })
    .join('');
}

function imageOf(part: JsonObject, path: string): ContentItem {
  const image = part['image_url'];
  const url = isPlainObject(image) ? image['url'] : image;
  if (typeof url !== 'string') throw invalid(`${path}.image_url`, 'must be an address: files are not kept here');
  const detail = optionalText(isPlainObject(image) ? image['detail'] : part['detail'], `${path}.detail`);
  return { type: 'image_url', image_url: { url, ...(detail === null ? {} : { detail }) } };
}

function audioOf(part: JsonObject, path: string): ContentItem {
  const audio = part['input_audio'];
  if (!isPlainObject(audio)) throw invalid(`${path}.input_audio`, 'must be an object');
  const format = stringOf(audio['format'], `${path}.input_audio.format`);
  const data = stringOf(audio['data'], `${path}.input_audio.data`);
  return { type: 'audio', audio_url: { url: `data:audio/${format};base64,${data}` } };
}

function fileOf(part: JsonObject, path: string): ContentItem {
  const file = optionalObject(part['file'], `${path}.file`) ?? part;
  if (file['file_id'] !== undefined && file['file_id'] !== null)
    throw invalid(`${path}.file_id`, 'is not supported: files are not kept here');
  const name = optionalText(file['filename'], `${path}.filename`);
  const url = optionalText(file['file_url'], `${path}.file_url`);
  const data = optionalText(file['file_data'], `${path}.file_data`);
  if (url === null && data === null)
    throw invalid(`${path}.file_data`, 'must be the data of a file, or file_url its address');
  return {
    type: 'file',
    file_info: {
      ...(name === null ? {} : { name }),
      ...(url === null ? {} : { url }),
      ...(data === null ? {} : { data }),
    },
  };
}

export function contentsOf(content: unknown, path: string): ContentItem[] {
  if (typeof content === 'string') return [textItem(content)];
  if (!Array.isArray(content)) throw invalid(path, 'must be a string or a list of parts');
  return content.map((part: unknown, at) => {
    const where = `${path}[${at}]`;
    if (!isPlainObject(part)) throw invalid(where, 'must be an object');
    switch (part['type']) {
      case 'input_text':
      case 'output_text':
      case 'text':
        return textItem(stringOf(part['text'], `${where}.text`));
      case 'input_image':
      case 'image_url':
        return imageOf(part, where);
      case 'input_audio':
        return audioOf(part, where);
      case 'input_file':
      case 'file':
        return fileOf(part, where);
      default:
        throw invalid(`${where}.type`, 'is not supported');
    }
  });
}
