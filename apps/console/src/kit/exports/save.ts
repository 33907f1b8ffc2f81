const csvType = 'text/csv;charset=utf-8'
const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Makes the browser save a file. */
export function saveFile(name: string, pieces: readonly BlobPart[], type = csvType): void {
  const url = URL.createObjectURL(new Blob([...pieces], { type }))
  saveAddress(name, url)
  // The browser has taken it by the end of the turn; some need a moment more.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Makes the browser save what an address names. */
export function saveAddress(name: string, url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}

/** The same for bytes of a table. */
export const saveBytes = (name: string, pieces: readonly Uint8Array<ArrayBuffer>[]): void =>
  saveFile(name, pieces, name.endsWith('.xlsx') ? xlsxType : csvType)

export const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (char) => char.codePointAt(0) ?? 0)
