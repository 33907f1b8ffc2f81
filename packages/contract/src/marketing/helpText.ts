/**
 * The text of a help article: a small subset of Markdown. It has headings, paragraphs, lists, bold text, links and
 * pictures, and no HTML: what is not one of these stands there as it was typed.
 */

/** A run of text inside a block. */
export type HelpSpan =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bold'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string }

export type HelpBlock =
  | { readonly kind: 'heading'; readonly spans: readonly HelpSpan[] }
  | { readonly kind: 'paragraph'; readonly spans: readonly HelpSpan[] }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly HelpSpan[])[] }
  | { readonly kind: 'picture'; readonly photoId: string; readonly alt: string }

export const helpBlocksMax = 200
export const helpPicturesMax = 8

const picture = /^!\[([^\]\n]{0,100})\]\(photo:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\)$/
const heading = /^#{1,3} +(\S.*)$/
const bullet = /^[-*] +(\S.*)$/
const numbered = /^\d{1,2}[.、] *(\S.*)$/
const inline = /\*\*([^*\n]{1,500})\*\*|\[([^\]\n]{1,200})\]\(([^()\s]{1,500})\)/g
const safeHref = /^(?:https:\/\/[a-z0-9.-]+(?::\d{1,5})?(?:[/?#]\S*)?|tel:\+?[0-9-]{3,20})$/i

/** True for a link that a rider's phone may open. */
export const isSafeLink = (href: string): boolean => safeHref.test(href)

/** The runs of a line. A link to anything but https or a telephone number stays text. */
function spansOf(line: string): HelpSpan[] {
  const spans: HelpSpan[] = []
  let from = 0
  const plain = (to: number): void => {
    if (to > from) spans.push({ kind: 'text', text: line.slice(from, to) })
  }
  for (const match of line.matchAll(inline)) {
    const [whole, bold, text, href] = match
    if (bold === undefined && !isSafeLink(href ?? '')) continue
    plain(match.index)
    spans.push(bold === undefined ? { kind: 'link', text: text ?? '', href: href ?? '' } : { kind: 'bold', text: bold })
    from = match.index + whole.length
  }
  plain(line.length)
  return spans
}

function itemOf(line: string): { readonly text: string; readonly isOrdered: boolean } | null {
  const one = bullet.exec(line)
  if (one !== null) return { text: one[1] ?? '', isOrdered: false }
  const other = numbered.exec(line)
  return other === null ? null : { text: other[1] ?? '', isOrdered: true }
}

/** The blocks of a text, at most `helpBlocksMax`. */
export function parseHelpText(text: string): HelpBlock[] {
  const blocks: HelpBlock[] = []
  let paragraph: string[] = []
  let items: string[] = []
  let isOrdered = false
  const flush = (): void => {
    if (paragraph.length > 0) blocks.push({ kind: 'paragraph', spans: spansOf(paragraph.join(' ')) })
    if (items.length > 0) blocks.push({ kind: 'list', isOrdered, items: items.map(spansOf) })
    paragraph = []
    items = []
  }
  for (const raw of text.split('\n')) {
    const line = raw.trim()
    const [, alt, photoId] = picture.exec(line) ?? []
    const [, title] = heading.exec(line) ?? []
    const item = itemOf(line)
    if (photoId !== undefined) {
      flush()
      blocks.push({ kind: 'picture', photoId, alt: alt ?? '' })
    } else if (title !== undefined) {
      flush()
      blocks.push({ kind: 'heading', spans: spansOf(title) })
    } else if (item !== null) {
      if (paragraph.length > 0 || isOrdered !== item.isOrdered) flush()
      isOrdered = item.isOrdered
      items.push(item.text)
    } else if (line === '') flush()
    else {
      if (items.length > 0) flush()
      paragraph.push(line)
    }
  }
  flush()
  return blocks.slice(0, helpBlocksMax)
}

/** The pictures of a text, each once. */
export const picturesOf = (text: string): string[] => [
  ...new Set(parseHelpText(text).flatMap((block) => (block.kind === 'picture' ? [block.photoId] : []))),
]

/** The text without its marks, e.g. for the beginning that a list shows. */
export function plainHelpText(text: string): string {
  const words = (spans: readonly HelpSpan[]): string => spans.map((span) => span.text).join('')
  return parseHelpText(text)
    .map((block) => {
      if (block.kind === 'picture') return ''
      return block.kind === 'list' ? block.items.map(words).join(' ') : words(block.spans)
    })
    .filter((part) => part !== '')
    .join(' ')
}

const linkLike = /\[[^\]\n]{1,200}\]\(([^()\s]{1,500})\)/g

/** The first link of a text that riders could not open; null when there is none. */
export function unsafeLinkOf(text: string): string | null {
  for (const [whole, href = ''] of text.matchAll(linkLike)) {
    if (!isSafeLink(href) && !picture.test(`!${whole}`)) return href
  }
  return null
}
