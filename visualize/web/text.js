// Texts: unpacked, made visible, cut.

/**
 * The text behind base64 of raw DEFLATE.
 * @param {string} base64
 * @returns {Promise<string>}
 */
async function inflate(base64) {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).text();
}

// Characters that would not be seen, or that would turn the direction of what is around them.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/**
 * JSON text with unseen characters written as escapes, which mean the same.
 * @param {string} text
 */
function shown(text) {
  return text.replace(UNSEEN, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}

/**
 * The beginning of a text, of at most this many characters and no half of a surrogate pair.
 * @param {string} text
 * @param {number} length
 */
function beginning(text, length) {
  if (text.length <= length) return text;
  return text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, "") + "…";
}
