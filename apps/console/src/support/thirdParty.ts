let wanted: Promise<void> | null = null

/** Adds the configured customer-service script once; rejects, and may be tried again, when it cannot be loaded. */
export function loadThirdPartyChat(src: string): Promise<void> {
  wanted ??= new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = src
    script.async = true
    const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce
    if (nonce) script.nonce = nonce
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      script.remove()
      wanted = null
      reject(new Error('the chat script could not be loaded'))
    })
    document.head.append(script)
  })
  return wanted
}
