import type { KyselyPlugin, RawNode, RootOperationNode } from 'kysely'

/**
 * Statements whose text has the one in place of the other. `hits` says how many had it. White space is compared as one space.
 */
export function mutation(
  find: string,
  instead: string,
): { readonly plugin: KyselyPlugin; readonly hits: () => number } {
  let hits = 0
  const mutated = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(mutated)
    if (typeof value !== 'object' || value === null || value instanceof Date) return value
    const node = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mutated(part)]))
    if (node['kind'] !== 'RawNode') return node
    const fragments = (node as unknown as RawNode).sqlFragments.map((text) => {
      const plain = text.replaceAll(/\s+/g, ' ')
      if (!plain.includes(find)) return text
      hits += 1
      return plain.replaceAll(find, instead)
    })
    return { ...node, sqlFragments: fragments }
  }
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => mutated(node) as RootOperationNode,
    transformResult: ({ result }) => Promise.resolve(result),
  }
  return { plugin, hits: () => hits }
}
