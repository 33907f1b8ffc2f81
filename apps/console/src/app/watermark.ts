import { watermark } from '@saddle/contract/constants.ts'

/** 请勿外传, the web title and the tail of the phone: the characters from position 5 onward (section 1). */
export function watermarkText(parts: { readonly webTitle: string; readonly phone: string }): string {
  return [watermark.text, parts.webTitle, parts.phone.slice(watermark.phoneTailFrom)]
    .filter((part) => part !== '')
    .join(' ')
}

const tile = { widthPx: 320, heightPx: 220, fontPx: 14 } as const

/** One tile of the pattern as a data URL; the text is escaped because tenants set the title. */
export function watermarkTile(text: string, colour: string): string {
  const safe = text.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
  const [x, y] = [tile.widthPx / 2, tile.heightPx / 2]
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${tile.widthPx}" height="${tile.heightPx}">` +
    `<text x="${x}" y="${y}" transform="rotate(${watermark.rotateDeg} ${x} ${y})" text-anchor="middle" ` +
    `font-family="system-ui,sans-serif" font-size="${tile.fontPx}" fill="${colour}">${safe}</text></svg>`
  return `url("data:image/svg+xml,${encodeURIComponent(svg)}")`
}

/**
 * Draws the watermark over the page and draws it again whenever the element is removed or changed.
 * The style is set by property: a strict content security policy refuses a style attribute. Returns the way to end it.
 */
export function keepWatermark(options: {
  readonly text: string
  readonly colour: string
  readonly host?: HTMLElement
}): () => void {
  const host = options.host ?? document.body
  const background = watermarkTile(options.text, options.colour)
  let mark = draw(background, options.text)
  const watch = new MutationObserver((changes) => {
    const touched = changes.some((change) => change.target === mark || [...change.removedNodes].includes(mark))
    if (!touched) return
    watch.disconnect()
    mark.remove()
    mark = draw(background, options.text)
    begin()
  })
  const begin = (): void => {
    host.append(mark)
    watch.observe(host, { childList: true })
    watch.observe(mark, { attributes: true, childList: true, characterData: true })
  }
  begin()
  return () => {
    watch.disconnect()
    mark.remove()
  }
}

function draw(background: string, text: string): HTMLElement {
  const mark = document.createElement('div')
  mark.dataset['watermark'] = text
  mark.setAttribute('aria-hidden', 'true')
  mark.style.position = 'fixed'
  mark.style.inset = '0'
  mark.style.zIndex = String(watermark.zIndex)
  mark.style.pointerEvents = 'none'
  mark.style.backgroundImage = background
  mark.style.backgroundRepeat = 'repeat'
  return mark
}
