/** A key for one attempt. `crypto.randomUUID` is missing on plain-http addresses of a local network. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
