import {
  liveFrameRoom,
  liveHeaderBytes,
  putFrameHeader,
  type FrameShape,
  type LiveFrameBytes,
} from '@saddle/contract/telemetry/frame.ts'

/**
 * Frames of changes are put together one after another in chunks of memory, so that a frame needs none of its own. A chunk
 * lasts as long as one of its frames waits to be sent.
 */
const chunkWords = 16_384
const roomWords = liveFrameRoom / 4
const headerWords = liveHeaderBytes / 4

/** The chunk that is being filled, where the frame under way begins in it, and where its next record goes. */
export const frameMemory = { words: new Uint32Array(chunkWords), start: 0, end: 0 }

export function beginFrame(): void {
  frameMemory.start = frameMemory.end + roomWords
  frameMemory.end = frameMemory.start
  reserveWords(headerWords)
  frameMemory.end = frameMemory.start + headerWords
}

/** Makes sure that so many more words can be written, and returns the memory to write to. */
export function reserveWords(count: number): Uint32Array {
  const { words, start, end } = frameMemory
  if (end + count <= words.length) return words
  const written = end - start
  const wider = new Uint32Array(Math.max(chunkWords, (roomWords + written + count) * 2))
  wider.set(words.subarray(start, Math.min(end, words.length)), roomWords)
  frameMemory.words = wider
  frameMemory.start = roomWords
  frameMemory.end = roomWords + written
  return wider
}

/** How many words of records the frame holds so far. */
export const recordWordsSoFar = (): number => frameMemory.end - frameMemory.start - headerWords

/** Ends the frame with what was removed. */
export function finishFrame(shape: Omit<FrameShape, 'removed'>, removed: readonly number[]): LiveFrameBytes {
  const words = reserveWords(removed.length)
  const { start } = frameMemory
  for (let n = 0; n < removed.length; n += 1) words[frameMemory.end + n] = removed[n] ?? 0
  frameMemory.end += removed.length
  putFrameHeader(words, start, { ...shape, removedCount: removed.length })
  return new Uint8Array(words.buffer, start * 4, (frameMemory.end - start) * 4) as LiveFrameBytes
}

/** Gives up the frame under way. */
export function dropFrame(): void {
  frameMemory.end = frameMemory.start - roomWords
}
