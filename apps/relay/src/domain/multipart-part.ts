/** Whether a part of a form is its model, certainly not, or for some readers only. */
export type FormPart = 'model' | 'other' | 'unclear';

const DISPOSITION = /^content-disposition\s*:/i;
const PLAIN_DISPOSITION =
  /^content-disposition:[ \t]*form-data((?:[ \t]*;[ \t]*[a-z*]+=(?:"(?:[^"\\]|\\.)*"|[^\s";]+))*)[ \t]*;?[ \t]*$/i;
const PARAMETER = /;[ \t]*([a-z*]+)=("(?:[^"\\]|\\.)*"|[^\s";]+)/gi;

/** Readers differ in case, escapes, blanks and the brackets of a list. */
const looksLikeModel = (name: string): boolean => /^[^a-z0-9_]*model[^a-z0-9_]*$/i.test(unescaped(name));

function unescaped(text: string): string {
  const plain = text.replace(/\\(.)/g, '$1');
  return plain.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

/** Judges a part by the lines before its content. */
export function partOf(head: string): FormPart {
  const lines = head.split('\r\n').filter((line) => line !== '');
  const dispositions = lines.filter((line) => DISPOSITION.test(line));
  const [disposition = ''] = dispositions;
  const plain = PLAIN_DISPOSITION.exec(disposition);
  const isFolded = lines.some((line) => /^[ \t]|[\r\n\0]/.test(line));
  if (!plain || dispositions.length > 1 || isFolded) return /model/i.test(unescaped(head)) ? 'unclear' : 'other';
  const names = [...(plain[1] ?? '').matchAll(PARAMETER)].filter(([, name]) => /^name\b/i.test(name ?? ''));
  const isModel = names.some(([, , value]) => looksLikeModel(value ?? '') || /''.*model/i.test(unescaped(value ?? '')));
  if (!isModel) return 'other';
  return names.length === 1 && /^name$/i.test(names[0]?.[1] ?? '') && names[0]?.[2] === '"model"' ? 'model' : 'unclear';
}
