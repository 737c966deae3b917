import type { UIMessage } from 'ai';
import type { ContentItem } from '../records/turn';

/** A user's message as contents of the API. */
export function contentsOf(message: UIMessage): ContentItem[] {
  return message.parts.flatMap((part): ContentItem[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }];
    if (part.type !== 'file') return [];
    const { mediaType, url, filename } = part;
    if (mediaType.startsWith('image/')) return [{ type: 'image_url', image_url: { url } }];
    if (mediaType.startsWith('audio/')) return [{ type: 'audio', audio_url: { url } }];
    return [{ type: 'file', file_info: { url, media_type: mediaType, ...(filename ? { filename } : {}) } }];
  });
}
