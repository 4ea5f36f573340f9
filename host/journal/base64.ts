const PLAIN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Bytes as padded base64 (RFC 4648, 4), the same in Node and in browsers. */
export function textOfBase64(bytes: Uint8Array): string {
  let out = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const a = bytes[i] ?? 0;
    const b = bytes[i + 1] ?? 0;
    const c = bytes[i + 2] ?? 0;
    out += PLAIN.charAt(a >> 2) + PLAIN.charAt(((a & 3) << 4) | (b >> 4));
    out += i + 1 < bytes.length ? PLAIN.charAt(((b & 15) << 2) | (c >> 6)) : '=';
    out += i + 2 < bytes.length ? PLAIN.charAt(c & 63) : '=';
  }
  return out;
}

/** Bytes of padded base64 in its one right spelling; undefined for any other text, so that no bit of it is free. */
export function bytesOfBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  const bytes = decode(text);
  return textOfBase64(bytes) === text ? bytes : undefined;
}

const URL_CODES = Uint8Array.from(PLAIN.replace('+/', '-_'), (letter) => letter.charCodeAt(0));

/** Bytes as base64 for names and addresses, without padding (RFC 4648, 5). Written once for every record. */
export function textOfBase64Url(bytes: Uint8Array): string {
  const codes: number[] = [];
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i;
    const word = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    codes.push(URL_CODES[word >> 18] ?? 0, URL_CODES[(word >> 12) & 63] ?? 0);
    if (left > 1) codes.push(URL_CODES[(word >> 6) & 63] ?? 0);
    if (left > 2) codes.push(URL_CODES[word & 63] ?? 0);
    if (codes.length < 4096) continue;
    text += String.fromCharCode(...codes);
    codes.length = 0;
  }
  return text + String.fromCharCode(...codes);
}

/** Bytes of unpadded base64url in its one right spelling; undefined for any other text. */
export function bytesOfBase64Url(text: string): Uint8Array | undefined {
  const plain = text.replaceAll('-', '+').replaceAll('_', '/');
  const bytes = decode(plain);
  return textOfBase64Url(bytes) === text ? bytes : undefined;
}

function decode(text: string): Uint8Array {
  const digits = text.replace(/=+$/, '');
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const digit of digits) {
    held = ((held << 6) | Math.max(0, PLAIN.indexOf(digit))) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = (held >> bits) & 255;
    }
  }
  return bytes;
}
