/** An id in an address; null for anything else. */
export function idOf(text: string | null): number | null {
  const id = Number(text ?? '')
  return Number.isSafeInteger(id) && id > 0 ? id : null
}
