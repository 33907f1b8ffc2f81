import { setTimeout as sleep } from 'node:timers/promises'

const retryMs = 200

/** Talks over one connection after another until it is stopped; `talkOnce` ends when its connection has. */
export function startTalking(talkOnce: (isStopped: () => boolean) => Promise<void>) {
  let isStopped = false
  const run = async (): Promise<void> => {
    // eslint-disable-next-line no-unmodified-loop-condition -- stop() sets it while this loop waits
    while (!isStopped) {
      await talkOnce(() => isStopped)
      await sleep(retryMs)
    }
  }
  const running = run()
  return {
    stop: async (): Promise<void> => {
      isStopped = true
      await running
    },
  }
}
