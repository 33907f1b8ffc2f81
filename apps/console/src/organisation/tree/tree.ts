import type { AgentNode } from '@saddle/contract/organisation/companies.ts'

/** One visible line of the tree: a company, or an area below its company. */
export interface TreeRow {
  readonly key: string
  readonly kind: 'company' | 'area'
  readonly id: number
  /** Of an area: the company that it belongs to; of a company: itself. */
  readonly agentId: number
  readonly label: string
  readonly depth: number
  readonly isEnabled: boolean
  readonly hasChildren: boolean
  readonly isOpen: boolean
}

export const companyKey = (id: number): string => `c${id}`
export const areaKey = (id: number): string => `a${id}`

/** Up to so many lines everything stands open at first. */
const allOpenBelow = 60

interface Options {
  readonly nodes: readonly AgentNode[]
  /** Companies that were opened or closed; the others are as they are by default. */
  readonly opened: ReadonlyMap<string, boolean>
  readonly keyword: string
}

/** The lines that are to be seen, from the top down. With a keyword: what it meets, and what that stands below. */
export function treeRows({ nodes, opened, keyword }: Options): TreeRow[] {
  const wanted = keyword.trim().toLowerCase()
  const known = new Set(nodes.map((node) => node.id))
  const isRoot = (node: AgentNode): boolean => node.parentId === null || !known.has(node.parentId)
  const below = Map.groupBy(
    nodes.filter((node) => !isRoot(node)),
    (node) => node.parentId,
  )
  const isAllOpen = nodes.reduce((lines, node) => lines + 1 + node.areaList.length, 0) <= allOpenBelow
  const rows: TreeRow[] = []
  const meets = (label: string): boolean => wanted === '' || label.toLowerCase().includes(wanted)

  /** Adds a company and what is open below it; false, and nothing added, when the keyword meets none of it. */
  const add = (node: AgentNode, depth: number, path: ReadonlySet<number>): boolean => {
    // A cycle in the data must not cause an endless loop.
    if (path.has(node.id)) return false
    const key = companyKey(node.id)
    const children = below.get(node.id) ?? []
    const areas = node.areaList.filter((area) => meets(area.name))
    const hasChildren = children.length + node.areaList.length > 0
    const isOpen = wanted === '' ? (opened.get(key) ?? (isAllOpen || depth === 0)) : true
    const at = rows.length
    rows.push({
      key,
      kind: 'company',
      id: node.id,
      agentId: node.id,
      label: node.company,
      depth,
      isEnabled: node.state === 'enabled',
      hasChildren,
      isOpen: hasChildren && isOpen,
    })
    let isMet = meets(node.company)
    if (isOpen) {
      const inside = new Set([...path, node.id])
      for (const area of areas) {
        isMet = true
        rows.push({
          key: areaKey(area.id),
          kind: 'area',
          id: area.id,
          agentId: node.id,
          label: area.name,
          depth: depth + 1,
          isEnabled: area.state === 'enabled',
          hasChildren: false,
          isOpen: false,
        })
      }
      for (const child of children) if (add(child, depth + 1, inside)) isMet = true
    }
    if (isMet) return true
    rows.length = at
    return false
  }
  for (const node of nodes) if (isRoot(node)) add(node, 0, new Set())
  return rows
}

/** Keys of the companies that have to be open for a line to be seen: those above it, and an area's own. */
export function pathTo(nodes: readonly AgentNode[], key: string): string[] {
  const owner = nodes.find(
    ({ id, areaList }) => key === companyKey(id) || areaList.some((area) => areaKey(area.id) === key),
  )
  const path: string[] = []
  if (owner !== undefined && key !== companyKey(owner.id)) path.push(companyKey(owner.id))
  let above = owner?.parentId
  // No path is longer than there are companies, however the data is linked.
  for (const _ of nodes) {
    const parent = nodes.find(({ id }) => id === above)
    if (parent === undefined) break
    path.push(companyKey(parent.id))
    above = parent.parentId
  }
  return path
}

/** The result of a key press on a line (WAI-ARIA's tree): another line, or opening or closing this one. */
export function treeStep(rows: readonly TreeRow[], at: number, key: string): { readonly to: number } | 'turn' | null {
  const row = rows[at]
  if (row === undefined) return null
  const within = (index: number) => ({ to: Math.max(0, Math.min(rows.length - 1, index)) })
  switch (key) {
    case 'ArrowDown':
      return within(at + 1)
    case 'ArrowUp':
      return within(at - 1)
    case 'Home':
      return within(0)
    case 'End':
      return within(rows.length - 1)
    case 'PageDown':
      return within(at + 10)
    case 'PageUp':
      return within(at - 10)
    case 'ArrowRight':
      if (row.hasChildren && !row.isOpen) return 'turn'
      return row.isOpen ? within(at + 1) : null
    case 'ArrowLeft': {
      if (row.isOpen) return 'turn'
      const parent = rows.slice(0, at).findLastIndex((other) => other.depth < row.depth)
      return parent === -1 ? null : { to: parent }
    }
    default:
      return null
  }
}
