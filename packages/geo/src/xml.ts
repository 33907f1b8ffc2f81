export interface XmlNode {
  /** Without its prefix. */
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlNode[]
  /** Its own text and that of CDATA. */
  readonly text: string
}

interface Open {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Open[]
  text: string
}

const nodesMax = 200_000
const depthMax = 64
const known: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** What begins and ends otherwise than an element; the text of the last one counts. */
const sections = [
  { begin: '<!--', end: '-->', isText: false },
  { begin: '<?', end: '?>', isText: false },
  { begin: '<![CDATA[', end: ']]>', isText: true },
] as const

/**
 * Reads what KML needs of XML: elements, attributes, text, CDATA. No document type, so that nothing is ever fetched or
 * multiplied; null where the text is not well formed or too deep. Goes through the text once: what has a beginning and
 * no end is refused, not looked for again.
 */
export function readXml(text: string): XmlNode | null {
  if (/<!DOCTYPE|<!ENTITY/i.test(text)) return null
  const root: Open = { name: '', attributes: {}, children: [], text: '' }
  const open: Open[] = [root]
  let nodes = 0
  let at = 0
  while (at < text.length) {
    const own = open.at(-1)
    if (own === undefined) return null
    const mark = text.indexOf('<', at)
    if (mark !== at) {
      const end = mark === -1 ? text.length : mark
      own.text += unescaped(text.slice(at, end))
      at = end
      continue
    }
    const section = sections.find(({ begin }) => text.startsWith(begin, mark))
    const end = section === undefined ? text.indexOf('>', at) : text.indexOf(section.end, at + section.begin.length)
    if (end === -1) return null
    if (section !== undefined) {
      if (section.isText) own.text += text.slice(at + section.begin.length, end)
      at = end + section.end.length
      continue
    }
    const tag = readTag(text.slice(at + 1, end))
    at = end + 1
    if (tag === null) return null
    if (tag.kind === 'close') {
      if (open.length < 2 || own.name !== tag.name) return null
      open.pop()
      continue
    }
    nodes += 1
    if (nodes > nodesMax || open.length > depthMax) return null
    const node: Open = { name: tag.name, attributes: tag.attributes, children: [], text: '' }
    own.children.push(node)
    if (tag.kind === 'open') open.push(node)
  }
  return open.length === 1 && root.children.length === 1 ? root : null
}

interface Tag {
  readonly kind: 'open' | 'close' | 'empty'
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

/** What stands between the brackets of an element. */
function readTag(given: string): Tag | null {
  if (given.includes('<')) return null
  const isClose = given.startsWith('/')
  const isEmpty = !isClose && given.endsWith('/')
  const text = given.slice(isClose ? 1 : 0, isEmpty ? -1 : undefined)
  const [name = ''] = /^[^\s/]+/.exec(text) ?? []
  const attributes = attributesOf(text.slice(name.length))
  if (name === '' || attributes === null) return null
  return { kind: isClose ? 'close' : isEmpty ? 'empty' : 'open', name: localName(name), attributes }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

const unescaped = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return known[name] ?? whole
    const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })

function attributesOf(text: string): Record<string, string> | null {
  const found: Record<string, string> = {}
  const one = /\s*([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y
  const end = text.trimEnd().length
  while (one.lastIndex < end) {
    const [, name = '', double, single] = one.exec(text) ?? []
    if (name === '') return null
    found[localName(name)] = unescaped(double ?? single ?? '')
  }
  return found
}
