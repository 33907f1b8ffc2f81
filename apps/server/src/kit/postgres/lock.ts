import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const RETRY_MS = 25
const MAX_WAIT_MS = 120_000

/**
 * Runs `work` while no other process of this machine runs work of the same name. On Linux the lock is an abstract
 * socket: the kernel frees it when its process dies, however it dies, so it can never be stale. Elsewhere PostgreSQL's
 * own lock file must do.
 */
export async function withMachineLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (process.platform !== 'linux') return work()
  const server = createServer((socket) => socket.destroy())
  for (let waitedMs = 0; !(await listen(server, `\0saddle-${name}`)); waitedMs += RETRY_MS) {
    if (waitedMs >= MAX_WAIT_MS) throw new Error('another process holds the start lock of the database')
    await sleep(RETRY_MS)
  }
  try {
    return await work()
  } finally {
    await new Promise<void>((done) => server.close(() => done()))
  }
}

function listen(server: ReturnType<typeof createServer>, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      server.off('listening', onListening)
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    }
    const onListening = (): void => {
      server.off('error', onError)
      resolve(true)
    }
    server.once('error', onError).once('listening', onListening)
    server.listen({ path })
  })
}
