/**
 * What carries frames between the processes of a cluster. It may lose frames, and says so when it knows; it never delivers
 * a frame twice to one process.
 */
export interface BusLine {
  /** Sends frames to every other process. Rejects when it cannot tell that they left; they are not sent again. */
  send(frames: readonly string[]): Promise<void>
  /** Called once, before the first frame can arrive. `onGap`: frames may have been missed, as after a broken connection. */
  listen(receiver: { readonly onFrame: (frame: string) => void; readonly onGap: () => void }): Promise<void>
  close(): Promise<void>
}
