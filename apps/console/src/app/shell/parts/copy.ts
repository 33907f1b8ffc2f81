/** Copies a text to the clipboard; false when the browser refuses. On plain http only the legacy API exists. */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (isSecureContext) {
      await navigator.clipboard.writeText(text)
      return true
    }
    return copyTheOldWay(text)
  } catch {
    return false
  }
}

function copyTheOldWay(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.style.position = 'fixed'
  field.style.opacity = '0'
  document.body.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  return copied
}
