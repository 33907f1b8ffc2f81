const itemSelector = '[role="treeitem"]'

const parentOf = (item: Element): HTMLElement | null => item.parentElement?.closest<HTMLElement>(itemSelector) ?? null

/**
 * Where a key leads from an item of a tree, as the pattern of the ARIA practices has it; `toggle`: it opens or closes the
 * item. Null: the key means nothing here.
 */
export function nextItem(tree: Element, item: HTMLElement, key: string): HTMLElement | 'toggle' | null {
  const items = [...tree.querySelectorAll<HTMLElement>(itemSelector)]
  const at = items.indexOf(item)
  const expanded = item.getAttribute('aria-expanded')
  switch (key) {
    case 'ArrowDown':
      return items[at + 1] ?? null
    case 'ArrowUp':
      return items[at - 1] ?? null
    case 'Home':
      return items[0] ?? null
    case 'End':
      return items.at(-1) ?? null
    case 'ArrowRight':
      if (expanded === 'false') return 'toggle'
      return expanded === 'true' ? item.querySelector<HTMLElement>(itemSelector) : null
    case 'ArrowLeft':
      return expanded === 'true' ? 'toggle' : parentOf(item)
    case 'Enter':
    case ' ':
      return expanded === null ? null : 'toggle'
    default:
      return null
  }
}
