/** Bytes at once that a call's arguments may be. */
const step = 32_768

/** The bytes of a file as standard base64. */
export function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += step) text += String.fromCharCode(...bytes.subarray(at, at + step))
  return btoa(text)
}
