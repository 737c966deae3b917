import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';

export const CONTENT_TYPES = ['text', 'image_url', 'audio', 'file'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** The limit of data URIs is checked elsewhere, with a better message. */
const URL_MAX = 16 * 1024 * 1024;
/** Base64, or text up to the limit of a text. */
const FILE_BYTES = URL_MAX;

@Described('An image by URL.')
export class ImageUrl {
  @Field(f.text({ min: 1, max: URL_MAX }), { description: 'An HTTP(S) URL or a base64 `data:` URI.' }) url!: string;
  @Field(f.text({ max: 20 }), {
    optional: true,
    example: 'auto',
    description: 'How closely the model looks, such as `auto`.',
  })
  detail?: string;
}

@Described('Audio by URL.')
export class AudioUrl {
  @Field(f.text({ min: 1, max: URL_MAX }), { description: 'An HTTP(S) URL or a base64 `data:` URI.' }) url!: string;
}

@Described('An item of a message. `type` decides which other field is set.')
export class ContentItem {
  @Field(f.oneOf(CONTENT_TYPES), { description: 'Kind of the item. It decides the field that carries the value.' })
  type!: ContentType;
  @Field(f.text(), { optional: true, description: 'Text of a `text` item.' }) text?: string;
  @Field(f.object(() => ImageUrl), { optional: true, description: 'Image of an `image_url` item.' })
  image_url?: ImageUrl;
  @Field(f.object(() => AudioUrl), { optional: true, description: 'Audio of an `audio` item.' }) audio_url?: AudioUrl;
  @Field(f.record(FILE_BYTES), {
    optional: true,
    description: 'File of a `file` item: its name, type and data or URL.',
  })
  file_info?: Record<string, unknown>;
}
