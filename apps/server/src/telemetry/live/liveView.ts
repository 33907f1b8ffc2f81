import type { LiveFrameBytes } from '@saddle/contract/telemetry/frame.ts'
import type { Changes } from './changes.ts'
import type { ClusterLayers } from './clusterLayers.ts'
import type { Table } from './table.ts'

/** What its subscribers have been sent, and the frames that bring them up to date. */
export type LiveView = {
  /** The whole view, as if nothing had been sent before. The next difference starts from it. */
  snapshot(sequence: number): LiveFrameBytes
  /**
   * What changed, appeared or disappeared since the last frame; null when nothing did. May be a snapshot. Its bytes last until
   * `keepDifferences` of the index gives them up.
   */
  difference(sequence: number): LiveFrameBytes | null
}

/** What all views read. */
export type ViewSources = { readonly table: Table; readonly changes: Changes; readonly layers: ClusterLayers }
