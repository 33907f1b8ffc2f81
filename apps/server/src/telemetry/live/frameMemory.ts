import {
  liveFrameRoom,
  liveHeaderBytes,
  putFrameHeader,
  type FrameShape,
  type LiveFrameBytes,
} from '@saddle/contract/telemetry/frame.ts'

const chunkWords = 16_384
/** So many chunks, 4 MB together, are kept for further frames. */
const mostKept = 64
const roomWords = liveFrameRoom / 4
const headerWords = liveHeaderBytes / 4

/**
 * Frames of changes are put together one after another in chunks of memory, so that a frame needs none of its own. A chunk
 * lasts as long as one of its frames waits to be sent, or is written to again when none does.
 */
export type FrameMemory = {
  /** The chunk that is being filled, where the frame under way begins in it, and where its next record goes. */
  words: Uint32Array
  start: number
  end: number
  /** Chunks of the usual size, those in use first. */
  readonly kept: Uint32Array[]
  keptInUse: number
}

export function createFrameMemory(): FrameMemory {
  const words = new Uint32Array(chunkWords)
  return { words, start: 0, end: 0, kept: [words], keptInUse: 1 }
}

/** From now on frames may be written over all that were made before. */
export function reuseFrames(memory: FrameMemory): void {
  memory.keptInUse = 0
  startChunk(memory, 0)
}

/** Some of the frames that were made before are still needed: their memory is left to them. */
export function leaveFrames(memory: FrameMemory): void {
  memory.kept.length = 0
  reuseFrames(memory)
}

function startChunk(memory: FrameMemory, words: number): void {
  memory.words = takeChunk(memory, words)
  memory.start = 0
  memory.end = 0
}

function takeChunk(memory: FrameMemory, words: number): Uint32Array {
  if (words > chunkWords) return new Uint32Array(words)
  const { kept, keptInUse } = memory
  const chunk = kept[keptInUse] ?? new Uint32Array(chunkWords)
  if (keptInUse < mostKept) {
    kept[keptInUse] = chunk
    memory.keptInUse += 1
  }
  return chunk
}

export function beginFrame(memory: FrameMemory): void {
  memory.start = memory.end + roomWords
  memory.end = memory.start
  reserveWords(memory, headerWords)
  memory.end = memory.start + headerWords
}

/** Makes sure that so many more words can be written, and returns the memory to write to. */
export function reserveWords(memory: FrameMemory, count: number): Uint32Array {
  const { words, start, end } = memory
  if (end + count <= words.length) return words
  const written = end - start
  const needed = roomWords + written + count
  const next = takeChunk(memory, needed > chunkWords ? needed * 2 : needed)
  next.set(words.subarray(start, Math.min(end, words.length)), roomWords)
  memory.words = next
  memory.start = roomWords
  memory.end = roomWords + written
  return next
}

/** Shorter ranges are copied faster by a loop than by a call. */
const copyAbove = 128

/** Copies a range of words into the frame. */
export function putWords(
  memory: FrameMemory,
  from: Uint32Array | Int32Array,
  { first, end }: { readonly first: number; readonly end: number },
): void {
  const length = end - first
  const out = reserveWords(memory, length)
  const to = memory.end
  if (length > copyAbove) out.set(from.subarray(first, end), to)
  else for (let n = 0; n < length; n += 1) out[to + n] = from[first + n] ?? 0
  memory.end = to + length
}

/** How many words of records the frame holds so far. */
export const recordWordsSoFar = ({ start, end }: FrameMemory): number => end - start - headerWords

/** Ends the frame with what was removed. */
export function finishFrame(
  memory: FrameMemory,
  shape: Omit<FrameShape, 'removed'>,
  removed: readonly number[],
): LiveFrameBytes {
  const words = reserveWords(memory, removed.length)
  const { start } = memory
  for (let n = 0; n < removed.length; n += 1) words[memory.end + n] = removed[n] ?? 0
  memory.end += removed.length
  putFrameHeader(words, start, { ...shape, removedCount: removed.length })
  return new Uint8Array(words.buffer, start * 4, (memory.end - start) * 4) as LiveFrameBytes
}

/** Gives up the frame under way. */
export function dropFrame(memory: FrameMemory): void {
  memory.end = memory.start - roomWords
}
