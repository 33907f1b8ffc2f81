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

/**
 * Reads what KML needs of XML: elements, attributes, text, CDATA. No document type, so that nothing is ever fetched or
 * multiplied; null where the text is not well formed or too deep.
 */
export function readXml(text: string): XmlNode | null {
  if (/<!DOCTYPE|<!ENTITY/i.test(text)) return null
  const root: Open = { name: '', attributes: {}, children: [], text: '' }
  const open: Open[] = [root]
  const token = /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<(\/?)([^\s/>]+)([^>]*?)(\/?)>|([^<]+)|(<)/g
  let nodes = 0
  for (const [, cdata, close, name, attributes, isEmpty, plain, stray] of text.matchAll(token)) {
    const own = open.at(-1)
    if (own === undefined || stray !== undefined) return null
    if (cdata !== undefined) own.text += cdata
    else if (plain !== undefined) own.text += unescaped(plain)
    else if (name !== undefined) {
      if (close === '/') {
        if (open.length < 2 || own.name !== localName(name)) return null
        open.pop()
        continue
      }
      nodes += 1
      if (nodes > nodesMax || open.length > depthMax) return null
      const node: Open = { name: localName(name), attributes: attributesOf(attributes ?? ''), children: [], text: '' }
      own.children.push(node)
      if (isEmpty !== '/') open.push(node)
    }
  }
  return open.length === 1 && root.children.length === 1 ? root : null
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

const unescaped = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return known[name] ?? whole
    const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })

function attributesOf(text: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [, name = '', double, single] of text.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    found[localName(name)] = unescaped(double ?? single ?? '')
  }
  return found
}
