import { Field } from '../fields/field';
import { f } from '../fields/spec';

export const CONTENT_TYPES = ['text', 'image_url', 'audio', 'file'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** The limit of data URIs is checked elsewhere, with a better message. */
const URL_MAX = 16 * 1024 * 1024;
/** Base64, or text up to the limit of a text. */
const FILE_BYTES = URL_MAX;

export class ImageUrl {
  @Field(f.text({ min: 1, max: URL_MAX }), { description: 'An HTTP(S) URL or a base64 `data:` URI.' }) url!: string;
  @Field(f.text({ max: 20 }), { optional: true, example: 'auto' }) detail?: string;
}

export class AudioUrl {
  @Field(f.text({ min: 1, max: URL_MAX }), { description: 'An HTTP(S) URL or a base64 `data:` URI.' }) url!: string;
}

/** An item of a message, stored and returned in the caller's spelling. */
export class ContentItem {
  @Field(f.oneOf(CONTENT_TYPES)) type!: ContentType;
  @Field(f.text(), { optional: true }) text?: string;
  @Field(f.object(() => ImageUrl), { optional: true }) image_url?: ImageUrl;
  @Field(f.object(() => AudioUrl), { optional: true }) audio_url?: AudioUrl;
  @Field(f.record(FILE_BYTES), { optional: true }) file_info?: Record<string, unknown>;
}
