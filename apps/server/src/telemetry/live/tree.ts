import { createBuckets, freeBucket, moveBucket, roomOf, takeBucket, type Buckets } from './buckets.ts'

/**
 * Positions of vehicles, as a quadtree whose cells also store their counts. Coordinates are whole millionths of a degree
 * from the south-west corner of the world, so that "inside" is exact. Only the smallest cells hold vehicles; a cell
 * without vehicles is freed at once.
 *
 * There is one root for each pair of franchisee and area (a reach): a query visits only the trees that the caller may see,
 * so no count ever includes a vehicle of another tenant.
 */

/** A cell of the smallest kind is 2^13 millionths of a degree: about 910 m high, and 780 m wide in Suzhou. */
export const leafShift = 13
/** A patch is 2^16 millionths of a degree: about 7.3 km high; what changed is put in order patch by patch. */
export const patchShift = 16
/** The root's cell covers the world's 360 million millionths. */
export const rootShift = 29
const none = -1
const firstNodes = 1_024

export type Box = { readonly west: number; readonly south: number; readonly east: number; readonly north: number }

/** What a cell counts beside its vehicles; also used for differences. */
export type Tally = { readonly available: number; readonly low: number; readonly alarm: number }

type NodeColumns = {
  /**
   * Four children: south-west, south-east, north-west, north-east. In a leaf the first is where its bucket begins, the
   * second the bucket's size.
   */
  child: Int32Array
  /** The parent; of a node that is free, the next free one. */
  parent: Int32Array
  count: Int32Array
  available: Int32Array
  low: Int32Array
  alarm: Int32Array
  /** Sums of whole numbers below 2^53: they stay exact however often they change. */
  sumX: Float64Array
  sumY: Float64Array
  /** The tree's mark when something changed in it last. */
  mark: Uint32Array
}

export type Tree = {
  nodes: NodeColumns
  nodeCount: number
  free: number
  /** By reach. */
  readonly roots: number[]
  readonly buckets: Buckets
  /** Tells what changes from now on from what changed before. */
  mark: number
  /** By slot: the leaf, or -1; and where in the buckets the vehicle is. */
  leaf: Int32Array
  at: Int32Array
}

function createNodes(size: number): NodeColumns {
  return {
    child: new Int32Array(size * 4),
    parent: new Int32Array(size),
    count: new Int32Array(size),
    available: new Int32Array(size),
    low: new Int32Array(size),
    alarm: new Int32Array(size),
    sumX: new Float64Array(size),
    sumY: new Float64Array(size),
    mark: new Uint32Array(size),
  }
}

export function createTree(slots: number): Tree {
  return {
    nodes: createNodes(firstNodes),
    nodeCount: 0,
    free: none,
    roots: [],
    buckets: createBuckets(),
    mark: 1,
    leaf: new Int32Array(slots).fill(none),
    at: new Int32Array(slots),
  }
}

/** Makes room for vehicles up to this slot. */
export function widenTree(tree: Tree, slots: number): void {
  const leaf = new Int32Array(slots).fill(none)
  leaf.set(tree.leaf)
  const at = new Int32Array(slots)
  at.set(tree.at)
  tree.leaf = leaf
  tree.at = at
}

function takeNode(tree: Tree, parent: number): number {
  let node = tree.free
  if (node === none) {
    if (tree.nodeCount === tree.nodes.parent.length) {
      const wider = createNodes(Math.ceil(tree.nodeCount * 1.5))
      for (const name of Object.keys(wider) as (keyof NodeColumns)[]) wider[name].set(tree.nodes[name])
      tree.nodes = wider
    }
    node = tree.nodeCount
    tree.nodeCount += 1
  } else {
    tree.free = tree.nodes.parent[node] ?? none
  }
  const { nodes } = tree
  nodes.child.fill(none, node * 4, node * 4 + 4)
  nodes.parent[node] = parent
  nodes.count[node] = 0
  nodes.available[node] = 0
  nodes.low[node] = 0
  nodes.alarm[node] = 0
  nodes.sumX[node] = 0
  nodes.sumY[node] = 0
  return node
}

const quadrant = (x: number, y: number, shift: number): number => ((x >>> shift) & 1) | (((y >>> shift) & 1) << 1)

type Placing = Tally & { readonly slot: number; readonly x: number; readonly y: number }

/** Adds a vehicle to the tree of its reach. */
export function insert(tree: Tree, reach: number, placing: Placing): void {
  const { x, y } = placing
  let node = tree.roots[reach] ?? none
  if (node === none) {
    node = takeNode(tree, none)
    tree.roots[reach] = node
  }
  for (let shift = rootShift - 1; shift >= leafShift; shift -= 1) {
    const at = node * 4 + quadrant(x, y, shift)
    let child = tree.nodes.child[at] ?? none
    if (child === none) {
      child = takeNode(tree, node)
      tree.nodes.child[at] = child
    }
    node = child
  }
  hang(tree, node, placing)
  const { available, low, alarm } = placing
  add(tree, node, { count: 1, x, y, available, low, alarm })
}

/** Puts a vehicle at the end of a leaf's bucket. */
function hang(tree: Tree, leaf: number, { slot, x, y }: Placing): void {
  const { nodes, buckets } = tree
  const count = nodes.count[leaf] ?? 0
  if (count === 0) {
    nodes.child[leaf * 4] = takeBucket(buckets, 0)
    nodes.child[leaf * 4 + 1] = 0
  } else if (count === roomOf(nodes.child[leaf * 4 + 1] ?? 0)) {
    resize(tree, leaf, { by: 1, count })
  }
  const at = (nodes.child[leaf * 4] ?? 0) + count
  buckets.slots[at] = slot
  buckets.xs[at] = x
  buckets.ys[at] = y
  tree.leaf[slot] = leaf
  tree.at[slot] = at
}

/** Replaces a leaf's bucket by the next larger or smaller size. */
function resize(tree: Tree, leaf: number, { by, count }: { by: 1 | -1; count: number }): void {
  const { nodes, buckets } = tree
  const from = nodes.child[leaf * 4] ?? 0
  const size = nodes.child[leaf * 4 + 1] ?? 0
  const to = takeBucket(buckets, size + by)
  moveBucket(buckets, { from, to, count })
  for (let n = 0; n < count; n += 1) tree.at[buckets.slots[to + n] ?? 0] = to + n
  nodes.child[leaf * 4] = to
  nodes.child[leaf * 4 + 1] = size + by
  freeBucket(buckets, from, size)
}

/** Removes a vehicle from its leaf's bucket, before the leaf's count is reduced: the last vehicle takes its position. */
function unhang(tree: Tree, leaf: number, slot: number): void {
  const { nodes, buckets } = tree
  const count = nodes.count[leaf] ?? 0
  const at = tree.at[slot] ?? 0
  const last = (nodes.child[leaf * 4] ?? 0) + count - 1
  moveBucket(buckets, { from: last, to: at, count: 1 })
  tree.at[buckets.slots[at] ?? 0] = at
  tree.leaf[slot] = none
  const size = nodes.child[leaf * 4 + 1] ?? 0
  if (count === 1) freeBucket(buckets, nodes.child[leaf * 4] ?? 0, size)
  else if (size > 0 && count * 4 <= roomOf(size)) resize(tree, leaf, { by: -1, count: count - 1 })
}

type Delta = Tally & { readonly count: number; readonly x: number; readonly y: number }

/** Adds to the counts of a leaf and of every enclosing cell, and marks them. */
function add({ nodes, mark }: Tree, leaf: number, { count, x, y, available, low, alarm }: Delta): void {
  for (let node = leaf; node !== none; node = nodes.parent[node] ?? none) {
    nodes.count[node] = (nodes.count[node] ?? 0) + count
    nodes.sumX[node] = (nodes.sumX[node] ?? 0) + x
    nodes.sumY[node] = (nodes.sumY[node] ?? 0) + y
    nodes.available[node] = (nodes.available[node] ?? 0) + available
    nodes.low[node] = (nodes.low[node] ?? 0) + low
    nodes.alarm[node] = (nodes.alarm[node] ?? 0) + alarm
    nodes.mark[node] = mark
  }
}

/** Updates the counts of the cells around a vehicle that moved within its leaf. */
export function shift(tree: Tree, slot: number, moved: Tally & { readonly x: number; readonly y: number }): void {
  const leaf = tree.leaf[slot] ?? none
  if (leaf === none) return
  const { xs, ys } = tree.buckets
  const at = tree.at[slot] ?? 0
  xs[at] = (xs[at] ?? 0) + moved.x
  ys[at] = (ys[at] ?? 0) + moved.y
  add(tree, leaf, { count: 0, ...moved })
}

/** Removes a vehicle; the values are those with which it was counted. */
export function remove(tree: Tree, reach: number, { slot, x, y, available, low, alarm }: Placing): void {
  const leaf = tree.leaf[slot] ?? none
  if (leaf === none) return
  unhang(tree, leaf, slot)
  add(tree, leaf, { count: -1, x: -x, y: -y, available: -available, low: -low, alarm: -alarm })
  prune(tree, reach, leaf)
}

/** Frees the cells that hold nothing any more. */
function prune(tree: Tree, reach: number, leaf: number): void {
  const { nodes } = tree
  let node = leaf
  while (node !== none && nodes.count[node] === 0) {
    const parent = nodes.parent[node] ?? none
    if (parent === none) tree.roots[reach] = none
    else nodes.child[nodes.child.indexOf(node, parent * 4)] = none
    nodes.parent[node] = tree.free
    tree.free = node
    node = parent
  }
}

/** Whether this position is in the leaf that holds the vehicle. `x` and `y` are the position that it was added with. */
export function sameLeaf(from: { x: number; y: number }, to: { x: number; y: number }): boolean {
  return from.x >>> leafShift === to.x >>> leafShift && from.y >>> leafShift === to.y >>> leafShift
}

/** The cell of `patchShift` that holds the vehicle; -1 for one that is in no cell. */
export function patchOf({ leaf, nodes }: Tree, slot: number): number {
  let node = leaf[slot] ?? none
  for (let level = leafShift; level < patchShift && node !== none; level += 1) node = nodes.parent[node] ?? none
  return node
}

/** Four numbers for each cell that is still to be visited: at most three siblings on each level, and the last four. */
const stack = new Int32Array((rootShift - leafShift + 1) * 4 * 4)

type Walk = {
  /** By reach: 1 where the caller may see it. */
  readonly reaches: Uint8Array
  readonly box: Box
  /** The size of the cells asked for. */
  readonly stopShift: number
  /** Called for a cell of any size that touches the box; false: do not visit its children. */
  readonly enter?: (node: number, isInside: boolean) => boolean
  /** Called for a cell of the requested size that touches the box, with its south-west corner. */
  readonly cell: (node: number, x: number, y: number, isInside: boolean) => void
}

/** Visits the cells of the permitted trees that touch the box. */
export function walk(tree: Tree, options: Walk): void {
  const { roots, nodes } = tree
  for (let reach = 0; reach < roots.length; reach += 1) {
    const root = roots[reach] ?? none
    if (root !== none && options.reaches[reach] === 1) walkTree(nodes, root, options)
  }
}

function walkTree(nodes: NodeColumns, root: number, { box, stopShift, enter, cell }: Walk): void {
  const { west, south, east, north } = box
  const { child } = nodes
  let depth = 4
  stack[3] = rootShift
  stack[0] = descend(nodes, root, { box, stopShift })
  if (stack[0] === none) return
  stack[1] = (west >>> stack[3]) << stack[3]
  stack[2] = (south >>> stack[3]) << stack[3]
  while (depth > 0) {
    depth -= 4
    const node = stack[depth] ?? none
    const x = stack[depth + 1] ?? 0
    const y = stack[depth + 2] ?? 0
    const level = stack[depth + 3] ?? 0
    const size = 2 ** level - 1
    const isInside = x >= west && y >= south && x + size <= east && y + size <= north
    if (enter?.(node, isInside) === false) continue
    if (level === stopShift) {
      cell(node, x, y, isInside)
      continue
    }
    const half = 1 << (level - 1)
    for (let index = 3; index >= 0; index -= 1) {
      const next = child[node * 4 + index] ?? none
      if (next === none) continue
      const left = (index & 1) === 0 ? x : x + half
      const bottom = (index & 2) === 0 ? y : y + half
      if (left > east || bottom > north || left + half <= west || bottom + half <= south) continue
      stack[depth] = next
      stack[depth + 1] = left
      stack[depth + 2] = bottom
      stack[depth + 3] = level - 1
      depth += 4
    }
  }
}

/** The smallest cell that holds the whole box, or -1 where no vehicle is in it; its size goes to the stack's bottom. */
function descend({ child }: NodeColumns, root: number, { box, stopShift }: Pick<Walk, 'box' | 'stopShift'>): number {
  const differing = (box.west ^ box.east) | (box.south ^ box.north)
  const lowest = Math.max(stopShift, 32 - Math.clz32(differing))
  let node = root
  let level = rootShift
  while (level > lowest && node !== none) {
    level -= 1
    node = child[node * 4 + quadrant(box.west, box.south, level)] ?? none
  }
  stack[3] = level
  return node
}
